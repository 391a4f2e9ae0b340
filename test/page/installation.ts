/** A daemon with something of everything to show: done, held for a yes, in conflict with a person, and failed. */
import { type Daemon, Rig } from '../rig.ts';

export const CONFIG = `
page: { listen: "127.0.0.1:0" }
log: { level: debug }
budget: { month: 5000 }
defaults: { settle_ms: 50 }
projects:
  webshop:
    source: en
    targets: [de, fr, pt-BR]
    routes:
      - { from: "locales/{locale}/**/*.json" }
  handbook:
    root: handbook
    source: en
    targets: [de]
    routes:
      - { from: "en/*.txt", to: "{locale}/{name}.txt", lane: text, approve_over: 40 }
`;

const json = (texts: Record<string, string>) => `${JSON.stringify(texts, null, 2)}\n`;
const LEGAL = 'These terms apply to everything that is bought in this shop.';

/** What a person wrote, and must not leave the daemon without a session. */
export const PERSONS_TEXT = 'Nur das Wichtigste für Sie';

export interface Installation {
  readonly rig: Rig;
  readonly daemon: Daemon;
  /** With the token in its fragment. */
  readonly address: string;
}

export async function installation(): Promise<Installation & AsyncDisposable> {
  const rig = await Rig.start({
    config: CONFIG,
    files: {
      'locales/en/app.json': json({ title: 'Welcome', lead: 'Only what matters', buy: 'Buy now' }),
      'locales/en/mail.json': json({ subject: 'Your order is on its way' }),
      'handbook/en/hello.txt': 'A short hello.\n',
    },
  });
  await rig.once();
  rig.write(
    'locales/de/app.json',
    rig.read('locales/de/app.json').replace(/"lead": .*/, `"lead": "${PERSONS_TEXT}",`),
  );
  rig.write(
    'locales/en/app.json',
    json({ title: 'Welcome', lead: 'Only what matters to you', buy: 'Buy now' }),
  );
  rig.write('locales/en/broken <b>file</b>.json', '{ "title": ');
  rig.write('handbook/en/terms.txt', `${LEGAL}\n`);
  const daemon = await rig.daemon();
  await daemon.until(() => daemon.lines.filter(({ kind }) => kind === 'job-held').length >= 2);
  return {
    rig,
    daemon,
    address: await addressOf(rig),
    [Symbol.asyncDispose]: () => rig[Symbol.asyncDispose](),
  };
}

export async function addressOf(rig: Rig): Promise<string> {
  const { stdout } = await rig.run('dashboard');
  return stdout.trim();
}

/** A daemon that serves its page, after a run. */
export async function startPage(
  setup: Parameters<typeof Rig.start>[0],
): Promise<{ rig: Rig; address: string }> {
  const rig = await Rig.start(setup);
  await rig.once();
  const daemon = await rig.daemon();
  await daemon.until(() => daemon.lines.some(({ kind }) => kind === 'page-served'));
  return { rig, address: await addressOf(rig) };
}
