import shipped from './learned.json' with { type: 'json' };
import type { LearnedTable } from './learned-table.ts';
import { type WeightBook, weightBookOf } from './weight-book.ts';

/** The table that comes with the release; in force until a deployment learns one of its own. */
export const SHIPPED_TABLE = shipped as LearnedTable;
export const SHIPPED_BOOK: WeightBook = weightBookOf(SHIPPED_TABLE, '00000000');
