import type { Check } from './check.ts';
import type { Collection } from './collection.ts';
import { wrongNextVersion } from './stix/next-version.ts';
import { resourceOf, walkCollection } from './walk-collection.ts';

/** `--twice`: walks a collection again and checks that no unchanged object got a new date. */
export async function checkAgain(check: Check, before: Collection): Promise<void> {
  const { findings } = check;
  const after = await walkCollection(check, before.target, () => {});
  const request = `GET ${resourceOf(before.target, 'objects').pathname} a second time`;
  for (const [id, now] of after.objects) {
    const then = before.objects.get(id);
    if (then === undefined) {
      findings.note('changed-meanwhile', request, `${id} is new`);
      continue;
    }
    const wrong = wrongNextVersion(then, now);
    if (wrong !== null) findings.violation(wrong.clause, request, `${id} ${wrong.example}`);
    else if (then.version !== now.version)
      findings.note('changed-meanwhile', request, `${id} has a new version`);
    else judgeDate(check, before, after, id);
  }
}

function judgeDate({ findings }: Check, before: Collection, after: Collection, id: string): void {
  const [then, now] = [before.manifest.get(id), after.manifest.get(id)];
  if (then === undefined || now === undefined || then.dateText === now.dateText) return;
  const request = `GET ${resourceOf(before.target, 'manifest').pathname} a second time`;
  findings.violation('redated', request, `${id}: ${then.dateText}, then ${now.dateText}`);
}

/** Checks that a version of an object has the same content in every collection that holds it. */
export function compareCollections({ findings }: Check, collections: readonly Collection[]): void {
  const known = new Map<string, { version: string; digest: string; from: string }>();
  for (const { target, objects } of collections)
    for (const [id, { version, digest }] of objects) {
      const other = known.get(id);
      const from = resourceOf(target, 'objects').pathname;
      if (other === undefined) known.set(id, { version, digest, from });
      else if (other.version === version && other.digest !== digest)
        findings.violation(
          'stix-version-twice',
          `GET ${from}`,
          `${id} has another text than in ${other.from}`,
        );
    }
}
