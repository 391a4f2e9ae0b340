/** One process that works on a team's state. */
export interface Runner {
  /** A UUID, new at each start. */
  readonly id: string;
  /** For a person to read. */
  readonly name: string;
}
