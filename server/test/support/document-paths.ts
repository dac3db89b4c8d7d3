import type { SourceFile } from './scan-source.ts';

/** A path in a code span of a document, with the place where it is named. */
export type NamedPath = { readonly path: string; readonly line: number; readonly named: string };

const EXTENSION =
  /\.(?:ts|tsx|js|mjs|lua|sql|md|json|ya?ml|sh|service|timer|conf|css|html|svg|png|txt|toml|Dockerfile)$/;
/** A pattern, a variable part, a command line or an address: not the name of one file. */
const NO_PATH = /[*<>{}$()|=@\s…,;'"]|\.\.\.|^[a-z]+:\/\/|^\/|^~|^-|^(?:\.\w+)+$/;
const FOLDER = /^[\w.-]+(?:\/[\w.-]+)*\/$/;
const TOP_FOLDER =
  /^(?:\.ci|\.devcontainer|\.github|attack|bench|demo|deploy|docs|integrations|proofs|release|sdk|server|test|web)\//;

/** The code spans outside of code blocks that look like a file of this repository, or like a folder (`lists/formats/`). */
export function namedPathsOf({ path, text }: SourceFile): readonly NamedPath[] {
  const prose = text.replace(/```[\s\S]*?```/g, (code) => code.replace(/[^\n]/g, ' '));
  return [...prose.matchAll(/`([^`\n]+)`/g)].flatMap(({ index, 1: span = '' }) => {
    const named = span.replace(/:\d+(?:-\d+)?$/, '');
    const isPath =
      !NO_PATH.test(named) && (EXTENSION.test(named) || FOLDER.test(named) || TOP_FOLDER.test(named));
    return isPath ? [{ path, line: text.slice(0, index).split('\n').length, named }] : [];
  });
}

/** Tells whether a file or folder of the repository has this path, from its root, from the document, or as its last part. */
export function createPathFinder(files: readonly string[]): (of: NamedPath) => boolean {
  const ends = new Set<string>();
  for (const file of files) {
    const parts = file.split('/');
    for (let from = 0; from < parts.length; from += 1)
      for (let to = from + 1; to <= parts.length; to += 1)
        ends.add(parts.slice(from, to).join('/') + (to === parts.length ? '' : '/'));
  }
  return ({ path, named }) => {
    const written = named.replace(/^\.\//, '');
    const fromDocument = new URL(named, `file:///${path}`).pathname.slice(1);
    // `docs/decisions/0009` stands for the file whose name begins so.
    if (/\/\d{4}$/.test(written)) return files.some((file) => file.startsWith(`${written}-`));
    return [written, `${written}/`, fromDocument, `${fromDocument}/`].some((each) => ends.has(each));
  };
}
