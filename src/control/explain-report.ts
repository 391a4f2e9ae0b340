/** The answer of `explain`: the route, lane and rules of a file, and how its translations were made. */
import type { SubtitleReport } from '../formats/captions/report.ts';
import type { Lane } from '../job.ts';
import type { EditedHow } from '../state/edit-log.ts';

export interface ExplainReport {
  readonly file: string;
  readonly kind: 'source' | 'target' | 'skipped';
  readonly reason?: string;
  readonly project?: string;
  readonly route?: string;
  readonly lane?: Lane;
  readonly rules?: Readonly<Record<string, string>>;
  readonly jobs?: readonly ExplainedJob[];
  readonly segment?: ExplainedSegment;
  /** The requested key is not in the file; `nearest`: the most similar key of the file, if there is one. */
  readonly missing_key?: { readonly nearest: string | null };
  /** Other texts on the requested line. */
  readonly also_there?: readonly string[];
  /** The requested line has no text; `nearest`: the nearest line with one, if there is any. */
  readonly missing_text?: { readonly nearest: number | null };
}

export interface ExplainedJob {
  readonly source: string;
  readonly target: string;
  readonly language: string;
  readonly state: string;
  readonly delivered_at: string | null;
  readonly recipe: string;
  readonly billed_characters: number;
  /** Seconds of audio, voice only. */
  readonly voice_seconds?: number;
  /** Subtitles only, after they were written. */
  readonly subtitles?: SubtitleReport;
  /** The runners of the team that bought the texts, the document or the recording, in order of time; absent: there is no team. */
  readonly bought_by?: readonly { readonly runner: string; readonly at: string }[];
}

export interface ExplainedSegment {
  readonly key: string;
  readonly language: string;
  readonly source: string;
  readonly target: string | null;
  readonly origin: 'machine' | 'human' | 'adopted' | 'copied' | 'none';
  readonly state: string;
  /** Who wrote or approved the target on this machine; absent: nobody did that here. */
  readonly edited?: { readonly by: string; readonly at: string; readonly how: EditedHow };
  /** The runner of the team that delivered the machine's target; absent: not known, or there is no team. */
  readonly bought_by?: { readonly runner: string; readonly at: string };
}
