const texts = {
  title: 'Typed title',
  hint: 'Typed hint' as const,
} as const;
export default texts;
