/** The systemd instance of a config, and the state folder of that instance. */
import { basename, dirname, extname, join } from 'node:path';
import type { Environment } from './variables.ts';

/**
 * The name of the unit's instance: `webapp` for `/etc/dragoman/webapp.yaml`, which `dragoman@webapp` reads, and for
 * `/srv/webapp/dragoman.yaml`.
 */
export function instanceName(file: string): string {
  const stem = basename(file, extname(file));
  const name = stem === 'dragoman' ? basename(dirname(file)) : stem;
  return name.replaceAll(/[^\w-]+/g, '-');
}

/** The environment, with the STATE_DIRECTORY of the systemd service where it has none, so that commands use the same state. `StateDirectory=` is below /var/lib (systemd.exec(5)). */
export function besideService(file: string, env: Environment): Environment {
  return { STATE_DIRECTORY: join('/var/lib/dragoman', instanceName(file)), ...env };
}
