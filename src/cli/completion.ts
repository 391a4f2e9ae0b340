/** `dragoman completion SHELL`: prints a completion script, made from the options of the commands. */
import { Command } from 'commander';
import { type CliCommand, type CommandEntry, UsageError } from './command.ts';
import { addGlobalOptions } from './global-options.ts';

/** One command, and what can be typed after its name. */
interface Completion {
  readonly name: string;
  readonly summary: string;
  readonly options: readonly string[];
  /** The possible values of the first argument; empty where it is a file or a text. */
  readonly actions: readonly string[];
  /** Options that need a value, with the possible values. */
  readonly values: readonly { readonly option: string; readonly choices: readonly string[] }[];
}

const SCRIPT_OF_SHELL: ReadonlyMap<string, (commands: readonly Completion[]) => string> = new Map(
  Object.entries<(commands: readonly Completion[]) => string>({
    bash: bashScript,
    zsh: zshScript,
    fish: fishScript,
  }),
);

/** @param commands the scripts complete the options of these commands */
export function completionOf(commands: Readonly<Record<string, CommandEntry>>): CliCommand {
  return {
    describe(command: Command) {
      command.argument('<shell>', 'bash, zsh or fish').addHelpText(
        'after',
        `
Examples:
  dragoman completion bash > ~/.local/share/bash-completion/completions/dragoman
  dragoman completion zsh > ~/.zfunc/_dragoman
  dragoman completion fish > ~/.config/fish/completions/dragoman.fish`,
      );
    },
    async run(call) {
      const [shell = ''] = call.args;
      const scriptFor = SCRIPT_OF_SHELL.get(shell);
      if (scriptFor === undefined) throw new UsageError('name a shell: bash, zsh or fish');
      const script = scriptFor(await completions(commands));
      if (call.options.json === true) call.terminal.json({ shell, script });
      else call.terminal.out(script);
      return 0;
    },
  };
}

async function completions(
  commands: Readonly<Record<string, CommandEntry>>,
): Promise<Completion[]> {
  const visible = Object.entries(commands).filter(([, entry]) => entry.hidden !== true);
  return await Promise.all(
    visible.map(async ([name, { summary, load }]) => {
      const described = new Command(name);
      (await load()).describe(described);
      addGlobalOptions(described);
      const options = described.options.flatMap(({ long }) => long ?? []);
      const values = described.options.flatMap(({ long, required, argChoices }) =>
        long != null && required ? [{ option: long, choices: argChoices ?? [] }] : [],
      );
      return { name, summary, options, values, actions: actionsOf(described) };
    }),
  );
}

/** The actions, from the description of the first argument: `diff, push or pull`. */
function actionsOf({ registeredArguments: [first] }: Command): string[] {
  const isChoice = first?.name() === 'action' || first?.name() === 'shell';
  return isChoice ? first.description.split(/, | or /) : [];
}

function bashScript(commands: readonly Completion[]): string {
  const names = commands.map(({ name }) => name).join(' ');
  const cases = commands.map(
    ({ name, options, actions }) =>
      `    ${name}) options="${options.join(' ')}" actions="${actions.join(' ')}" ;;`,
  );
  const values = commands.flatMap(({ name, values }) =>
    values.map(({ option, choices }) => `    "${name} ${option}") words="${choices.join(' ')}" ;;`),
  );
  // If no word fits, bash completes file names (`-o default`).
  return `_dragoman() {
  local current="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" words= options= actions=
  case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
  esac
  if [ "$COMP_CWORD" -eq 2 ]; then words="$actions"; fi
  case "$current" in -*) words="$options" ;; esac
  case "\${COMP_WORDS[1]} $before" in
${values.join('\n')}
  esac
  if [ "$COMP_CWORD" -eq 1 ]; then words="${names}"; fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _dragoman dragoman`;
}

function zshScript(commands: readonly Completion[]): string {
  const names = commands.map(({ name, summary }) => `    '${name}:${quote(summary)}'`);
  const cases = commands.map(
    ({ name, options, actions }) =>
      `    ${name}) compadd -- ${[...actions, ...options].join(' ')}; _files ;;`,
  );
  return `#compdef dragoman
_dragoman() {
  local -a commands=(
${names.join('\n')}
  )
  if (( CURRENT == 2 )); then _describe command commands; return; fi
  case "$words[2]" in
${cases.join('\n')}
  esac
}
_dragoman "$@"`;
}

function fishScript(commands: readonly Completion[]): string {
  const names = commands.map(
    ({ name, summary }) =>
      `complete -c dragoman -n __fish_use_subcommand -a ${name} -d '${quote(summary)}'`,
  );
  const rest = commands.flatMap(({ name, options, actions, values }) => {
    const known = new Map(values.map(({ option, choices }) => [option, choices]));
    const seen = `complete -c dragoman -n '__fish_seen_subcommand_from ${name}'`;
    return [
      ...(actions.length === 0 ? [] : [`${seen} -a '${actions.join(' ')}'`]),
      ...options.map((option) => `${seen} -l ${option.slice(2)}${fishValue(known.get(option))}`),
    ];
  });
  return [...names, ...rest].join('\n');
}

function fishValue(choices: readonly string[] | undefined): string {
  if (choices === undefined) return '';
  return choices.length === 0 ? ' -r' : ` -x -a '${choices.join(' ')}'`;
}

function quote(text: string): string {
  return text.replaceAll("'", "'\\''").replaceAll(':', '\\:');
}
