/** One route of the file -> `Route`, with the checks that concern this route alone. */
import type { LanguageTag } from '../language.ts';
import type { Columns, Policies, Route, RouteSettings } from '../project.ts';
import { entriesByCode } from '../setting.ts';
import { readLanguage } from './languages.ts';
import { overridePolicies } from './policies.ts';
import type { Report } from './shape.ts';

export interface RouteContext {
  readonly index: number;
  readonly position: { readonly line: number; readonly column: number };
  readonly policies: Policies;
  /** Paths are relative to the route. */
  readonly report: Report;
}

/** @returns the route; faults are reported. */
export function resolveRoute(settings: RouteSettings, context: RouteContext): Route {
  const { report } = context;
  checkLane(settings, context);
  checkOutputs(settings, report);
  checkEncoding(settings.encoding, { path: ['encoding'], report });
  checkEncoding(settings.subtitles.fallbackEncoding, {
    path: ['subtitles', 'fallback_encoding'],
    report,
  });
  const { settleMs, existing, humanEdits, deletedSource, retranslateOn, checks, ...own } = settings;
  const { columns, ...rest } = own;
  return {
    ...rest,
    index: context.index,
    ...context.position,
    ...(columns && { columns: resolveColumns(columns, report) }),
    policies: overridePolicies(context.policies, settings),
  };
}

function checkLane({ lane, to }: RouteSettings, { report }: RouteContext): void {
  const forVoice = typeof to === 'object';
  if (lane === undefined || to === undefined) return;
  if (lane === 'voice' && !forVoice) {
    report(['to'], 'the voice lane needs { transcript: …, subtitles: …, speech: … }');
  } else if (lane !== 'voice' && forVoice) {
    report(['to'], `the ${lane} lane writes one file: give one path`, 'name');
  }
}

const OF_SPEECH: Readonly<Record<RouteSettings['voice']['speechFormat'], readonly string[]>> = {
  wav: ['wav'],
  opus: ['opus', 'ogg'],
  mp3: ['mp3'],
};

/** Checks that each extension fits the format (a WAV named .mp3 does not play everywhere) and that no two outputs share a file. */
function checkOutputs({ to, voice }: RouteSettings, report: Report): void {
  if (typeof to !== 'object') return;
  const { speech, subtitles } = to;
  const format = voice.speechFormat;
  const found = extensionIn(speech);
  if (found !== undefined && !OF_SPEECH[format].includes(found)) {
    report(['to', 'speech'], `ends in .${found}, but voice.speech_format is ${format}`);
  }
  const shown = extensionIn(subtitles);
  if (shown !== undefined && shown !== 'srt' && shown !== 'vtt') {
    report(['to', 'subtitles'], `ends in .${shown}, but subtitles are .srt or .vtt`);
  }
  const paths = Object.entries(to).filter(([, path]) => path !== undefined);
  for (const [nth, [name, path]] of paths.entries()) {
    const first = paths.slice(0, nth).find(([, other]) => other === path)?.[0];
    if (first !== undefined) report(['to', name], `is the path of the ${first}, too`);
  }
}

/** The extension of a template, in lower case; `{ext}` stands for the extension of the recording. */
function extensionIn(template: string | undefined): string | undefined {
  return /\.([a-z0-9]+|\{ext\})$/i.exec(template ?? '')?.[1]?.toLowerCase();
}

function checkEncoding(
  label: string | undefined,
  { path, report }: { path: readonly string[]; report: Report },
): void {
  if (label === undefined) return;
  try {
    new TextDecoder(label);
  } catch {
    report(path, `"${label}" is no encoding that is known here, such as windows-1252`);
  }
}

function resolveColumns(columns: NonNullable<RouteSettings['columns']>, report: Report): Columns {
  const targets = new Map<LanguageTag, string>();
  for (const [code, column] of entriesByCode(columns.targets)) {
    const tag = readLanguage(code, { path: ['columns', 'targets', code], report });
    if (tag !== undefined) targets.set(tag, column);
  }
  return { ...columns, targets };
}
