/** One process that works on a team's state. */
export interface Runner {
  /** A UUID, another one for each start. */
  readonly id: string;
  /** For people. */
  readonly name: string;
}
