/** What a live lookup says of a watched value, each as one text that is equal while nothing changed. */
export const FACETS = ['certificate', 'registration', 'location'] as const;
export type Facet = (typeof FACETS)[number];
/** A facet that could not be looked up is absent: silence is no news. */
export type Facets = Readonly<Partial<Record<Facet, string>>>;

/** Facets that are known from both checks and differ. The first answer of a facet is its baseline. */
export const changedFacets = (before: Facets, after: Facets): readonly Facet[] =>
  FACETS.filter(
    (facet) => before[facet] !== undefined && after[facet] !== undefined && before[facet] !== after[facet],
  );
