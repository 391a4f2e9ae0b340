/** Who may enter the asset host: signatures, in a header or in the address; a key that was sent there is a leak and is counted. */
import { isoTime } from '../clock.ts';
import { credential } from './authentication.ts';
import { Refusal } from './refusal.ts';
import type { Call, World } from './resource.ts';

export class AssetDoor {
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
  }

  /** @throws Refusal 401 without a signature or with the API key, 403 for a wrong or expired one */
  check(call: Call, signature: string): void {
    const { schemes } = this.#world;
    if (credential(call.headers, schemes.key) !== undefined) {
      this.#count(call, 'The API key was sent to an asset host.');
      throw new Refusal(401, 'Asset hosts take signatures, not keys.');
    }
    const given = credential(call.headers, schemes.signature) ?? call.query.get('signature');
    if (given === null) throw new Refusal(401, 'A signature is required.');
    if (call.fault('expired_signature')) throw new Refusal(403, 'The signature has expired.');
    if (given !== signature) throw new Refusal(403, 'The signature is not valid here.');
  }

  #count({ operation }: Call, message: string): void {
    const at = isoTime(this.#world.clock);
    this.#world.counters.violated({ operation, status: 401, message, at });
  }
}
