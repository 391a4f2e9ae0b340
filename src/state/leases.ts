/** The contract of leases: of all processes that share a state, one at a time does the work with a given name. */
export interface Leases {
  exclusively<T>(name: string, work: () => Promise<T>): Promise<T>;
}
