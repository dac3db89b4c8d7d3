import {
  type CorpusWriteDeps,
  type MergeReport,
  mergeSnapshot,
  type SourceSettings,
} from '#capabilities/corpus/index.ts';
import { parseIndicator } from '#domain/indicator/index.ts';

/** Makes a few indicators the content of a source, without a file, a format or a gate. */
export function loadList(
  deps: CorpusWriteDeps,
  sourceId: string,
  values: readonly string[],
  options: { readonly dataAtMs: number; readonly settings?: SourceSettings },
): Promise<MergeReport> {
  const rows = values.map((value) => {
    const parsed = parseIndicator(value);
    if (!parsed.ok) throw new Error(`'${value}' is no indicator: ${parsed.reason}`);
    return { indicator: parsed.indicator };
  });
  return mergeSnapshot(deps, sourceId, [rows], { settings: {}, ...options });
}
