/** The part of the parser's answers that tests look at; the package brings no types. */
declare module 'parse-prometheus-text-format' {
  interface Metric {
    readonly labels?: Readonly<Record<string, string>>;
    readonly value?: string;
    readonly buckets?: Readonly<Record<string, string>>;
    readonly count?: string;
    readonly sum?: string;
  }
  interface Family {
    readonly name: string;
    readonly help: string;
    readonly type: string;
    readonly metrics: readonly Metric[];
  }
  function parseMetrics(text: string): Family[];
  export = parseMetrics;
}
