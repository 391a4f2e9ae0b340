/** Whether recordings can be converted and packed: by ffmpeg, which not everybody needs. */
import type { Config } from '../../config.ts';
import { encodersOf, hasFfmpeg } from '../../lanes/voice/media/ffmpeg.ts';
import type { Route } from '../../project.ts';
import { type DoctorFinding, ok, warn } from './finding.ts';

/** @returns nothing where no route takes recordings */
export async function examineRecordings({ projects }: Config): Promise<DoctorFinding[]> {
  const routes = projects.flatMap((project) => project.routes).filter(takesRecordings);
  if (routes.length === 0) return [];
  const formats = new Set(routes.map(({ voice }) => voice.speechFormat));
  formats.delete('wav');
  if (!(await hasFfmpeg())) {
    const packed = formats.size === 0 ? '' : `; speech stays WAV instead of ${list(formats)}`;
    const message = `not installed: recordings that the service does not take (films, AMR, WMA, AAC) are held${packed}`;
    return [warn('ffmpeg', message, 'install ffmpeg')];
  }
  const encoders = await encodersOf();
  const missing = [...formats].filter((format) => !encoders.has(format));
  return missing.length === 0
    ? [ok('ffmpeg', 'converts what the service does not take')]
    : [warn('ffmpeg', `it cannot write ${list(missing)}`, 'install an ffmpeg with that encoder')];
}

/** Only recordings become several files. */
function takesRecordings({ to }: Route): boolean {
  return typeof to === 'object';
}

function list(formats: Iterable<string>): string {
  return [...formats].join(' and ');
}
