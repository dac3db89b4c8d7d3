import type { Assessment } from '#capabilities/judging/index.ts';
import { chooseFamilies, type Verdict } from '#domain/scoring/index.ts';
import { originText } from './present-origin.ts';
import { isSeen, presentVerdict, type RowShape } from './present-row.ts';

/**
 * Placeholders for the entity and the time. No text of a verdict can contain them: none comes from a caller, and text
 * of the registry comes from PostgreSQL, which refuses NUL.
 */
const ENTITY = '\u0000entity\u0000';
const TIME = '\u0000time\u0000';
const CUTS = new RegExp(`${escaped(ENTITY)}|${escaped(TIME)}`, 'g');

/** The JSON text of a row, split where rows of the same verdict differ. */
type Template = {
  readonly type: RowShape['type'];
  readonly isSeen: boolean;
  readonly labels: readonly string[];
  readonly families: string;
  readonly tags: number;
  readonly pieces: readonly string[];
};

type Shape = Omit<RowShape, 'observedAt'>;

export type RowTemplates = {
  readonly write: (assessment: Assessment, shape: Shape, at: string) => string;
};

/**
 * Real batches repeat the same few verdicts (scoring ruling 11), and serialising 500 rows costs more than
 * looking them up. So a row is serialised once per verdict, and its text is kept as long as the verdict; where the
 * value is and when it was seen is written after it. The text equals that of JSON.stringify.
 */
export function createRowTemplates(): RowTemplates {
  const withEvidence = new WeakMap<Verdict, Template>();
  const withoutEvidence = new WeakMap<Verdict, Template>();
  return {
    write: (assessment, shape, at) => {
      const kept = shape.withEvidence ? withEvidence : withoutEvidence;
      let template = kept.get(assessment.verdict);
      if (template === undefined || !fits(template, shape, assessment)) {
        template = cut(shape, assessment);
        kept.set(assessment.verdict, template);
      }
      const [head, middle, tail, end] = template.pieces;
      const text = `${head}${JSON.stringify(shape.entity)}${middle}${at}${tail}`;
      return `${end === undefined ? text : text + at + end}${originText(assessment)}}`;
    },
  };
}

function fits(template: Template, { type }: Shape, assessment: Assessment): boolean {
  const { labels, tags } = assessment.context;
  return (
    template.type === type &&
    template.isSeen === isSeen(assessment) &&
    template.tags === tags.length &&
    template.families === familiesOf(assessment) &&
    template.labels.length === labels.length &&
    template.labels.every((label, index) => label === labels[index])
  );
}

/** A verdict does not depend on the families, so rows of one verdict may differ in them. */
const familiesOf = ({ listings }: Assessment): string => chooseFamilies(listings).join('\n');

function cut(shape: Shape, assessment: Assessment): Template {
  const row = presentVerdict({ ...shape, entity: ENTITY, observedAt: TIME }, assessment);
  return {
    type: shape.type,
    isSeen: isSeen(assessment),
    labels: assessment.context.labels,
    families: familiesOf(assessment),
    tags: assessment.context.tags.length,
    // Without the brace that ends the row: the origin of the value comes before it.
    pieces: JSON.stringify(row).slice(0, -1).split(CUTS),
  };
}

/** The placeholder as JSON writes it, escaped for a regular expression. */
function escaped(mark: string): string {
  return JSON.stringify(mark).replaceAll('\\', '\\\\');
}
