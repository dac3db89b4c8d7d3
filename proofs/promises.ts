/** The ids in the first column of the Promises table of ARCHITECTURE.md; `Q1-Q6` is expanded to six ids. */
export function promisesIn(architecture: string): readonly string[] {
  const section = architecture.slice(architecture.indexOf('## Promises'));
  return section
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| Id '))
    .flatMap((line) => idsIn(line.split('|')[1] ?? ''));
}

function idsIn(cell: string): readonly string[] {
  const plain = cell.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1');
  return plain.split(',').flatMap((part) => {
    const id = part.trim();
    const range = /^([A-Z])(\d+)-\1(\d+)$/.exec(id);
    if (range === null) return id === '' ? [] : [id];
    const [, letter, first, last] = range;
    const count = Number(last) - Number(first) + 1;
    return Array.from({ length: count }, (_, nth) => `${letter}${Number(first) + nth}`);
  });
}
