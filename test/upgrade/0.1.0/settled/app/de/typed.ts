const texts = {
  title: '[de Ŧẏƥḗḓ ŧīŧŀḗ ~~]',
  hint: '[de Ŧẏƥḗḓ ħīƞŧ ~~]' as const,
} as const;
export default texts;
