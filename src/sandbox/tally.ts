/** Characters (Unicode code points) by product, and minutes of recognised speech. */
export interface Tally {
  text: number;
  document: number;
  write: number;
  minutes: number;
}
