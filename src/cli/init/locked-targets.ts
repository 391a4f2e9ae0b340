/** What the lock says of translations outside of the text lane: subtitles cue by cue, documents and recordings as a whole. */
import { join } from 'node:path';
import { hashFile } from '../../files/disk.ts';
import type { Lane } from '../../job.ts';
import type { OpenText } from '../../lane.ts';
import { inspectSubtitles } from '../../lanes/subtitle/inspection.ts';
import { lockVerdict } from '../../segments/lock-decision.ts';
import { type NamedText, openTexts } from '../../segments/open-texts.ts';
import { hashesOfBytes, unitId } from '../../segments/statements.ts';
import { LockFiles } from '../../state/lock-file.ts';
import type { PackedTarget } from '../../translate/standing-case.ts';
import { caseOf } from '../../translate/standing-case.ts';
import type { Finding } from './findings.ts';
import { STALE, UNKNOWN } from './findings.ts';

interface LockedFinding extends Finding {
  readonly file: string;
}

export interface LockedTarget extends PackedTarget {
  readonly lane: Exclude<Lane, 'text'>;
  /** What a recording becomes there: transcript, subtitles, speech. */
  readonly output?: string;
  readonly lockFolder: string;
}

/** @throws JobFailure when source or target cannot be read */
export async function lockedFindings(target: LockedTarget): Promise<LockedFinding[]> {
  return target.lane === 'subtitle' ? await ofCues(target) : await ofWhole(target);
}

async function ofCues(inspected: LockedTarget): Promise<LockedFinding[]> {
  const { merge, film, source } = await inspectSubtitles(caseOf(inspected));
  const texts = film.cues.map(({ id, text }, nth): NamedText => {
    return { id, text, line: source.file.cues[nth]?.line ?? 1 };
  });
  const file = join(inspected.project.root, inspected.source);
  return openTexts(merge.decisions, texts, 'sequence').flatMap(({ key, line, is }) => {
    const said = SAID[is];
    if (said === undefined) return [];
    const message = `"${key}" in ${inspected.language}: ${said}`;
    return [{ file, line, column: 1, severity: 'hold', message }];
  });
}

const SAID: Readonly<Record<OpenText['is'], string | undefined>> = {
  stale: STALE,
  conflict: `${STALE}, and a person had edited it`,
  unknown: UNKNOWN,
  held: 'held: no answer was fit to be written when it was bought',
  missing: 'missing',
  edited: undefined,
};

async function ofWhole(inspected: LockedTarget): Promise<LockedFinding[]> {
  const { project, source, target, language, output, lockFolder } = inspected;
  const index = await new LockFiles(lockFolder).index({ project: project.name, language });
  const file = join(project.root, target);
  const hashes = await Promise.all(
    [join(project.root, source), file].map((path) => hashFile(path)),
  );
  const [made, found] = hashes.map((hash) => hashesOfBytes(hash));
  if (index === undefined || made === undefined || found === undefined) return [];
  const statements = index.get(unitId(source, output)) ?? [];
  const { kind } = lockVerdict({ statements, source: made.source, target: found.target });
  const said = kind === 'unknown' ? UNKNOWN : kind === 'stale' || kind === 'outdated' ? STALE : '';
  return said === '' ? [] : [{ file, line: 1, column: 1, severity: 'hold', message: said }];
}
