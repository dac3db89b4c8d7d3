/** One command block of README.md and what README says that it prints. */
export type ReadmeStep = {
  /** The line of README.md where the block begins. */
  readonly line: number;
  readonly commands: string;
  /** The `text` block right below the commands: lines that the output must contain in this order. */
  readonly expected: readonly string[];
};

/** Commands that run until they are stopped: the next one of them, or the end of the walk, presses Ctrl-C. */
const SERVICES = ['npm run demo', 'npm start'];

/** Reads the `sh` blocks of a page, each with the `text` block that follows it. */
export function readmeSteps(page: string): readonly ReadmeStep[] {
  const steps: ReadmeStep[] = [];
  const fences = page.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm);
  let end = 0;
  for (const { index, 0: whole, 1: language = '', 2: text = '' } of fences) {
    const previous = steps.at(-1);
    if (language === 'sh')
      steps.push({ line: page.slice(0, index).split('\n').length, commands: text.trim(), expected: [] });
    else if (language === 'text' && previous !== undefined && page.slice(end, index).trim() === '')
      steps[steps.length - 1] = { ...previous, expected: text.trimEnd().split('\n') };
    end = index + whole.length;
  }
  return steps;
}

/** The command of a block that runs until it is stopped, or null. Such a command is the last one of its block. */
export const serviceOf = ({ commands }: ReadmeStep): string | null => {
  const last = commandLines(commands).at(-1) ?? '';
  return SERVICES.find((service) => last === service || last.startsWith(`${service} `)) ?? null;
};

/** The commands of a block, one a line, without comments. */
export const commandLines = (commands: string): readonly string[] =>
  commands
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .map((line) => line.replace(/(^|\s+)#.*$/, '').trim())
    .filter((line) => line !== '');

/** Returns the first expected line that the output lacks, or null. `…` stands for any text. */
export function missingLine(expected: readonly string[], output: string): string | null {
  const lines = output.split('\n').map((line) => line.trim());
  let from = 0;
  for (const line of expected) {
    if (line.trim() === '' || line.trim() === '…') continue;
    const pattern = new RegExp(
      `^${line
        .trim()
        .split('…')
        .map((part) => RegExp.escape(part))
        .join('.*')}$`,
    );
    const found = lines.findIndex((printed, index) => index >= from && pattern.test(printed));
    if (found === -1) return line;
    from = found + 1;
  }
  return null;
}
