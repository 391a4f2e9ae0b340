/**
 * `dragoman review link`: makes, lists and ends links. A person with a link can review some languages on the page, and nothing else.
 */
import { DAY_MS } from '../../clock.ts';
import type { Control } from '../../control/control.ts';
import type { ReviewLinkLine } from '../../control/review-report.ts';
import { plural } from '../../language.ts';
import { Duration } from '../../setting.ts';
import { type CommandCall, CommandFailure, type ExitCode, UsageError } from '../command.ts';
import { withControl } from '../open-control.ts';
import type { ReviewOptions } from './options.ts';

/** Milliseconds that a link is valid without `--expires`. */
const LASTS_MS = 30 * DAY_MS;
/** Milliseconds. For a longer time, a person gets a new link. */
const LONGEST_MS = 366 * DAY_MS;

export async function link(
  call: CommandCall<ReviewOptions>,
  [name, ...more]: readonly string[],
): Promise<ExitCode> {
  const { expires, revoke = false } = call.options;
  if (more.length > 0) throw new UsageError('name one reviewer');
  if (name === undefined && (revoke || expires !== undefined)) {
    throw new UsageError('name the reviewer of the link');
  }
  if (revoke && expires !== undefined)
    throw new UsageError('--expires and --revoke exclude each other');
  const lastsMs = expires === undefined ? LASTS_MS : readExpires(expires);
  return await withControl<ExitCode>(call, async (control) => {
    if (name === undefined) return await listLinks(call, control);
    return revoke
      ? await revokeLinks(call, { control, name })
      : await makeLink(call, { control, name, lastsMs });
  });
}

function readExpires(written: string): number {
  const read = Duration.safeParse(written);
  if (!read.success || read.data === 0) {
    throw new UsageError(`--expires needs a duration such as 30d or 12h, not "${written}"`);
  }
  if (read.data > LONGEST_MS) throw new UsageError('--expires is at most 366d');
  return read.data;
}

async function listLinks(
  { options, terminal }: CommandCall<ReviewOptions>,
  control: Control,
): Promise<ExitCode> {
  const { links } = await control.reviewLinks({ act: 'list' });
  if (options.json === true) terminal.json({ links });
  else if (links.length === 0) terminal.out('There is no valid link.');
  else for (const line of links) terminal.out(linkLine(line));
  return 0;
}

function linkLine({ name, languages, made, expires }: ReviewLinkLine): string {
  const what =
    languages.length === 0 ? 'nothing: page.reviewers does not name them' : languages.join(', ');
  return `${name}: ${what}; made ${made}, ends ${expires}`;
}

interface NamedLink {
  readonly control: Control;
  readonly name: string;
}

async function makeLink(
  { options, terminal }: CommandCall<ReviewOptions>,
  { control, name, lastsMs }: NamedLink & { readonly lastsMs: number },
): Promise<ExitCode> {
  const { address, links } = await control.reviewLinks({ act: 'make', name, lastsMs });
  const made = links.findLast((line) => line.name === name);
  if (options.json === true) {
    terminal.json({ address, ...made });
    return 0;
  }
  terminal.out(address ?? '');
  terminal.note(
    `Everyone who has this address can read and edit ${made?.languages.join(', ')} until ${made?.expires}, while "dragoman run" is running. It is not shown again.`,
  );
  return 0;
}

async function revokeLinks(
  { options, terminal }: CommandCall<ReviewOptions>,
  { control, name }: NamedLink,
): Promise<ExitCode> {
  const { revoked } = await control.reviewLinks({ act: 'revoke', name });
  if (revoked === 0) {
    const message = `${name} has no valid link; "dragoman review link" lists the links`;
    throw new CommandFailure(1, message);
  }
  if (options.json === true) terminal.json({ name, revoked });
  else terminal.out(`${plural(revoked, 'link')} of ${name} ended.`);
  return 0;
}
