/** Characters (Unicode code points) by product, and minutes of recognised speech. */
export interface UsageTally {
  text: number;
  document: number;
  write: number;
  minutes: number;
}
