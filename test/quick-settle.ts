/** The time that a file must stay unchanged before dragoman reads it: two seconds by default, which most tests would only wait for. */
const SETTLE = 'settle_ms: 50';

/**
 * @param config the text of a config in YAML
 * @returns the same with a short `settle_ms`, unless it names one itself
 */
export function withQuickSettle(config: string): string {
  if (config.includes('settle_ms')) return config;
  if (/^defaults: *\{/m.test(config)) return config.replace(/^defaults: *\{/m, `$& ${SETTLE},`);
  if (/^defaults: *$/m.test(config)) return config.replace(/^defaults: *$/m, `$&\n  ${SETTLE}`);
  return config.replace(/^projects:/m, `defaults: { ${SETTLE} }\n$&`);
}
