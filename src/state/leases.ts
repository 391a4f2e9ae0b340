/** The contract of leases: of all who share a state, one at a time does a work of some name. */
export interface Leases {
  exclusively<T>(name: string, work: () => Promise<T>): Promise<T>;
}
