import shipped from './learned.json' with { type: 'json' };
import type { LearnedTable } from './learned-table.ts';
import { type WeightBook, weightBookOf } from './weight-book.ts';

/** The table that comes with the release; in force until a deployment learns one of its own. */
export const SHIPPED_TABLE = shipped as LearnedTable;
/** The first digits of the SHA-256 of its text (canonical-table.ts); a test compares them, because the domain cannot hash. */
const SHIPPED_DIGEST = 'c3d9a5a0';
export const SHIPPED_BOOK: WeightBook = weightBookOf(SHIPPED_TABLE, SHIPPED_DIGEST);
