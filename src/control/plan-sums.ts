/** The sums of a plan: by language, by project, and the most expensive sources. Pure. */
import type { PlanLanguage, PlanLine, PlanProject, PlanSource } from './plan-report.ts';

/** Sums up jobs by language. */
export function planLanguages(jobs: readonly PlanLine[]): PlanLanguage[] {
  return [...Map.groupBy(jobs, ({ language }) => language)]
    .map(([language, own]) => {
      const parts = own.map(lineCounts);
      const sum = (of: (part: PlanCounts) => number) =>
        parts.reduce((all, each) => all + of(each), 0);
      return {
        language,
        adopted: sum(({ adopted }) => adopted),
        bought: sum(({ bought }) => bought),
        from_memory: sum((part) => part.from_memory),
        held: sum(({ held }) => held),
        would_fail: own.filter(({ would_fail }) => would_fail !== undefined).length,
        estimated_characters: billedBy(own),
      };
    })
    .sort((a, b) => (a.language < b.language ? -1 : 1));
}

/** Sums up jobs by project, in the order of the jobs. */
export function planProjects(jobs: readonly PlanLine[]): PlanProject[] {
  return [...Map.groupBy(jobs, ({ project }) => project)].flatMap(([project, own]) =>
    planLanguages(own).map((language) => ({ project, ...language })),
  );
}

/** How many of the most expensive sources are listed. */
const LISTED_SOURCES = 10;

export function largestSources(jobs: readonly PlanLine[]): PlanSource[] {
  return [...Map.groupBy(jobs, ({ project, source }) => `${project}\n${source}`).values()]
    .flatMap((own) => {
      const [first] = own;
      if (first === undefined) return [];
      const { project, source } = first;
      const languages = own.map(({ language }) => language);
      return [{ project, source, languages, estimated_characters: billedBy(own) }];
    })
    .filter(({ estimated_characters }) => estimated_characters > 0)
    .toSorted((a, b) => b.estimated_characters - a.estimated_characters)
    .slice(0, LISTED_SOURCES);
}

type PlanCounts = Pick<PlanLanguage, 'adopted' | 'bought' | 'from_memory' | 'held'>;

function lineCounts({ texts, would_hold, would_fail, estimated_characters }: PlanLine): PlanCounts {
  if (would_fail !== undefined) return NO_COUNTS;
  const isHeld = would_hold !== undefined;
  const buys = estimated_characters > 0;
  const { adopted, bought, from_memory, held, conflicts } = texts ?? {
    ...{ ...NO_COUNTS, conflicts: 0 },
    bought: buys || isHeld ? 1 : 0,
  };
  return isHeld
    ? { adopted, bought: 0, from_memory: 0, held: bought + from_memory + held + conflicts }
    : { adopted, bought, from_memory, held: held + conflicts };
}

const NO_COUNTS: PlanCounts = { adopted: 0, bought: 0, from_memory: 0, held: 0 };

/** The characters that the jobs would bill, without jobs that a run would hold. */
export function billedBy(jobs: readonly PlanLine[]): number {
  return jobs
    .filter(({ would_hold }) => would_hold === undefined)
    .reduce((sum, job) => sum + job.estimated_characters, 0);
}
