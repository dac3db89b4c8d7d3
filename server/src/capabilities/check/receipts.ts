import type { SingleIndicator } from '#domain/indicator/index.ts';
import type { CostInput, Receipts } from '#platform/http/policy.ts';

/** What a check of the indicator in the query pays for. */
export const receiptsOfQuery = ({ query }: CostInput): Receipts => ({
  checks: [(query as { readonly indicator: SingleIndicator }).indicator.value],
});
