/** The questions of `init`, on a terminal. */
import { readTargets } from '../../config/languages.ts';
import { type LanguageTag, parseLanguage } from '../../language.ts';
import { CommandFailure, UsageError } from '../command.ts';
import type { Proposal, ProposedProject } from './proposal.ts';

/** Reads target codes. @param source empty when it is not known yet @throws UsageError for an unknown or repeated code */
export function targetsOf(codes: readonly string[], source: LanguageTag | ''): LanguageTag[] {
  return readTargets(codes, {
    path: [],
    source,
    report: (_, message) => {
      throw new UsageError(message);
    },
  });
}

/**
 * Asks for address, routes and target languages. With several projects, each is asked for its languages.
 * @param url the suggested address
 */
export async function askPerson(found: Proposal, url: string): Promise<InitAnswers> {
  const { group, text, multiselect } = await import('@clack/prompts');
  const { projects, suggestions } = found;
  const taken = projects.flatMap(({ routes }) => routes);
  const answers = await group(
    {
      url: () => text({ message: 'Address of the service', initialValue: url }),
      routes: () =>
        multiselect<ProposedRoute>({
          message: 'What to translate',
          options: [...taken, ...suggestions].map((each) => ({
            value: each,
            label: each.route.from,
            hint: 'reason' in each ? `${each.layout}: ${each.reason}` : each.layout,
          })),
          initialValues: [...taken],
        }),
      targets: async () => await askTargets(projects, text),
    },
    {
      onCancel: () => {
        throw new CommandFailure(1, NOT_WRITTEN);
      },
    },
  );
  const proposal = chosenOf(found, new Set(answers.routes), answers.targets);
  return { url: answers.url, proposal };
}

type ProposedRoute = ProposedProject['routes'][number];

const NOT_WRITTEN = 'nothing was written';

export interface InitAnswers {
  readonly url: string;
  readonly proposal: Proposal;
}

async function askTargets(
  projects: readonly ProposedProject[],
  text: typeof import('@clack/prompts').text,
): Promise<LanguageTag[][]> {
  const answered: LanguageTag[][] = [];
  for (const { name, source, targets, leftOut } of projects) {
    const lacking = [...leftOut].map(([code, reason]) => `${code} (${reason})`).join(', ');
    const codes = await text({
      message: `Target languages of ${name}${lacking === '' ? '' : `; left out: ${lacking}`}`,
      initialValue: targets.join(', '),
      validate: (value = '') =>
        codesOf(value)
          .map(notLanguage)
          .find((fault) => fault !== undefined),
    });
    if (typeof codes === 'symbol') throw new CommandFailure(1, NOT_WRITTEN);
    answered.push(targetsOf(codesOf(codes), source));
  }
  return answered;
}

/** The proposal with the answers. Chosen suggestions become routes of the first project. */
function chosenOf(
  found: Proposal,
  chosen: ReadonlySet<ProposedRoute>,
  targets: readonly (readonly LanguageTag[])[],
): Proposal {
  const added = found.suggestions.filter((suggestion) => chosen.has(suggestion));
  return {
    ...found,
    projects: found.projects.flatMap((project, index) => {
      const kept = project.routes.filter((route) => chosen.has(route));
      const routes = index === 0 ? [...kept, ...added] : kept;
      if (routes.length === 0) return [];
      return [{ ...project, routes, targets: targets[index] ?? project.targets }];
    }),
    suggestions: found.suggestions.filter((suggestion) => !chosen.has(suggestion)),
  };
}

function codesOf(text: string): string[] {
  return text.split(/[\s,]+/).filter((code) => code !== '');
}

function notLanguage(code = ''): string | undefined {
  return parseLanguage(code) === undefined ? `"${code}" is no language code` : undefined;
}
