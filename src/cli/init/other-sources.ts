/** Looks at sources outside of the text lane, as a job would before anything is sent: cut-off and damaged ones are named. */
import { join } from 'node:path';
import { bytesIn, readBytes } from '../../files/disk.ts';
import { READ_SUBTITLES } from '../../formats/captions/parsers.ts';
import { LARGEST_SOURCE } from '../../lane.ts';
import { estimateDocument } from '../../lanes/document/estimate.ts';
import { INSPECT_RECORDING } from '../../lanes/voice/parsers.ts';
import { parse } from '../../parsing/parse.ts';
import type { Project } from '../../project.ts';
import { extensionOf } from '../../routes/extensions.ts';
import { lackOf, mayLackEnd } from '../../watch/look.ts';
import type { FoundSource } from './project-files.ts';
import { type TargetFinding, unreadable } from './targets.ts';

/** @returns a fault when nothing of it can be translated */
export async function inspectOtherSource(
  { root }: Pick<Project, 'root'>,
  found: FoundSource,
): Promise<TargetFinding[]> {
  const file = join(root, found.source);
  try {
    const lack = lackOf(file, await bytesIn(file));
    if (lack !== undefined && !mayLackEnd(file)) return [lacking(file, lack, 'hold')];
    await readWhole(file, found);
    return lack === undefined ? [] : [lacking(file, `${lack}: it may be cut off`, 'warn')];
  } catch (error) {
    return [unreadable(error, file, root)];
  }
}

async function readWhole(file: string, { lane, route }: FoundSource): Promise<void> {
  switch (lane) {
    case 'text':
      return;
    case 'subtitle': {
      const { bytes } = await readBytes(file, LARGEST_SOURCE.subtitle);
      const fallback = route.encoding ?? route.subtitles.fallbackEncoding;
      await parse(READ_SUBTITLES, { bytes, file, fallback }, { file, bytes: bytes.byteLength });
      return;
    }
    case 'document':
      await estimateDocument(file, { extension: extensionOf(file).toLowerCase(), name: file });
      return;
    case 'voice':
      await parse(INSPECT_RECORDING, file, { file, bytes: await bytesIn(file) });
  }
}

function lacking(
  file: string,
  message: string,
  severity: TargetFinding['severity'],
): TargetFinding {
  return { file, line: 1, column: 1, severity, message };
}
