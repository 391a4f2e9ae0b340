/** A daemon of a tree under torture: it comes back when it is killed, and can be stopped and cut off. */
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Network, NetworkFault } from '../network.ts';
import type { Member, SpawnOptions, Team } from '../shared-team.ts';
import { SHELF } from './cluster-shelf.ts';
import { GLOSSARY, LANGUAGES, ROUTES } from './cluster-sources.ts';

/** Longer than a daemon is waited for. */
const STILL_MS = 12_000;
const PAGE = /http:\/\/127\.0\.0\.1:\d+\/(?=; \\"dragoman dashboard)/g;

/** Two that may lead, and two that only work. */
export const ROLES = ['both', 'both', 'worker', 'worker'] as const;

interface Place extends Pick<SpawnOptions, 'preload'> {
  readonly tree: Member;
  readonly team: Team;
  /** In which each daemon has a state folder. */
  readonly folders: string;
  readonly role: (typeof ROLES)[number];
  readonly name: string;
  /** Between the daemon and the database. */
  readonly network: Network;
  /** The address of the database, through the network. */
  readonly url: string;
}

/** One that comes back when it is killed, as a supervisor brings it. */
export class Daemon {
  readonly #place: Place;
  #child: ReturnType<Member['spawn']>;
  #said = '';

  static start(place: Place): Daemon {
    const { tree, team, folders, name } = place;
    const folder = join(folders, name);
    tree.configure(
      team.schema,
      'lock: dragoman.lock\npage: { listen: "127.0.0.1:0", reviewers: [{ name: anna, languages: [de, fr, it] }] }',
      {
        state: `, folder: "${folder}", key: { env: STATE_KEY }, tree: website`,
        ...{ routes: ROUTES, projects: SHELF, targets: LANGUAGES, project: GLOSSARY },
      },
    );
    tree.write(`${name}.yaml`, tree.read('dragoman.yaml'));
    return new Daemon(place);
  }

  private constructor(place: Place) {
    this.#place = place;
    this.#child = this.#spawn();
  }

  get lastWords(): string {
    return `${this.#place.name}: ${this.#said.slice(-1500)}`;
  }

  /** The address of its page, if it served one at last. */
  get page(): string | undefined {
    return [...this.#said.matchAll(PAGE)].at(-1)?.[0];
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }

  async standStill(): Promise<void> {
    const child = this.#child;
    child.kill('SIGSTOP');
    await wait(STILL_MS);
    child.kill('SIGCONT');
  }

  async loseDatabase(fault: NetworkFault, ms: number): Promise<void> {
    const { network } = this.#place;
    network.disturb(fault);
    await wait(ms);
    network.heal();
  }

  async end(): Promise<void> {
    if (this.#child.exitCode !== null) return;
    const closed = once(this.#child, 'close');
    this.#child.removeAllListeners('exit');
    this.#child.kill('SIGTERM');
    await closed;
  }

  #spawn(): ReturnType<Member['spawn']> {
    const { tree, name, role, url, preload } = this.#place;
    const child = tree.spawn('run', { url, preload }, '--config', `${name}.yaml`, '--role', role);
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        this.#said += chunk;
      });
    }
    // Killed, or a leader that was replaced while it stood still.
    child.once('exit', () => {
      this.#child = this.#spawn();
    });
    return child;
  }
}
