/** The options of a sandbox. */
import type { Clock } from '../clock.ts';
import type { Engine } from './engine.ts';
import type { SimulatedFault } from './fault.ts';
import type { Limits } from './limits.ts';
import type { Dialect, Schemes } from './resource.ts';

export interface SandboxOptions {
  /** 0 (default) takes a free one; the second data center always takes a free one. */
  readonly port?: number;
  /** The paid account's key, `sandbox` unless given; keyring.ts lists the others. */
  readonly key?: string;
  /** `<key>-admin` unless given. */
  readonly adminKey?: string;
  /** An engine, or a name that engines/open.ts knows: `pseudo` unless given. */
  readonly engine?: Engine | string;
  readonly dialect?: Dialect;
  /** How many times faster than the machine's clock the service's clock runs: for time windows, states, estimates. */
  readonly timeScale?: number;
  readonly limits?: Partial<Limits>;
  readonly faults?: readonly SimulatedFault[];
  readonly schemes?: Partial<Schemes>;
  /** Documents that cannot be translated are returned unchanged, without an error. */
  readonly passthrough?: boolean;
  readonly clock?: Clock;
}
