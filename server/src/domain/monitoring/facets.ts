/** The parts of a live lookup that monitoring compares, each as a text that stays equal while nothing changed. */
export const FACETS = ['certificate', 'registration', 'location'] as const;
export type Facet = (typeof FACETS)[number];
/** A facet that could not be looked up is absent, and its absence is never taken for a change. */
export type Facets = Readonly<Partial<Record<Facet, string>>>;

/** Facets that are known from both checks and differ. The first known value of a facet is only its baseline. */
export const changedFacets = (before: Facets, after: Facets): readonly Facet[] =>
  FACETS.filter(
    (facet) => before[facet] !== undefined && after[facet] !== undefined && before[facet] !== after[facet],
  );
