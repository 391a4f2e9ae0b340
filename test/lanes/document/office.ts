/** A project of documents over a sandbox, for the tests of the document lane. */
import { readFileSync } from 'node:fs';
import { openZip, unpackEntry } from '../../../src/files/zip.ts';
import type { SimulatedFault } from '../../../src/sandbox/fault.ts';
import type { SandboxOptions } from '../../../src/sandbox/server.ts';
import { Rig, type RigOptions } from '../../rig.ts';
import { waitingClock } from '../../waiting-clock.ts';

export const UPLOAD = 'POST /v2/document';
export const STATUS = 'POST /v2/document/{document_id}';
export const RESULT = 'POST /v2/document/{document_id}/result';
/** Characters that an office document bills at least. */
export const MINIMUM = 50_000;

interface Setting {
  readonly files: RigOptions['files'];
  readonly project?: string;
  readonly route?: string;
  readonly targets?: string;
  readonly faults?: readonly SimulatedFault[];
  readonly service?: string;
  readonly sandbox?: Partial<SandboxOptions>;
  /** `real`: for a daemon in whose work the test interferes. `behind`: by an hour, so that all files come from later. Absent: time passes only while somebody waits for it. */
  readonly time?: 'real' | 'behind';
}

export async function office({ targets = 'de', ...setting }: Setting): Promise<Rig> {
  const behindMs = setting.time === 'behind' ? 3_600_000 : 0;
  return await Rig.start({
    config: `
defaults: { settle_ms: 0 }
projects:
  office:
    source: en
    targets: [${targets}]
    ${setting.project ?? ''}
    routes:
      - { from: "in/**/*", to: "out/{locale}/{dir}/{name}.{ext}"${setting.route ?? ''} }
`,
    ...(setting.time === 'real' ? {} : { clock: waitingClock(Date.now() - behindMs) }),
    files: setting.files ?? {},
    sandbox: {
      ...(setting.time === 'real' ? { timeScale: 100 } : {}),
      faults: setting.faults ?? [],
      ...setting.sandbox,
    },
    ...(setting.service === undefined ? {} : { service: setting.service }),
  });
}

export const textOf = (rig: Rig, path: string) => {
  const zip = openZip(readFileSync(rig.path(path)), path);
  const entry = zip.entries.find(({ name }) => name === 'word/document.xml');
  return entry === undefined ? '' : Buffer.from(unpackEntry(zip, entry)).toString();
};
