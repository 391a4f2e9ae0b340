const texts = {
  title: '[pl Ŧẏƥḗḓ ŧīŧŀḗ ~~]',
  hint: '[pl Ŧẏƥḗḓ ħīƞŧ ~~]' as const,
} as const;
export default texts;
