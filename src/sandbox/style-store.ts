/** Style rule lists as they are kept. */
export interface CustomInstruction {
  readonly id: string;
  readonly label: string;
  readonly prompt: string;
  readonly source_language?: string;
}

export type ConfiguredRules = Readonly<Record<string, Readonly<Record<string, string>>>>;

export interface StyleList {
  readonly style_id: string;
  name: string;
  readonly creation_time: string;
  updated_time: string;
  readonly language: string;
  /** Rises with every change. */
  version: number;
  configured_rules: ConfiguredRules;
  custom_instructions: readonly CustomInstruction[];
}
