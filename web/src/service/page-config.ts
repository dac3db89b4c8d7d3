/** A page of another service about an indicator; `{value}` in the template stands for it. */
export type OutwardTemplate = {
  readonly name: string;
  readonly kinds: readonly string[];
  readonly template: string;
};

export type PageConfig = {
  readonly apiUrl: string;
  readonly demo: boolean;
  readonly version: string;
  readonly outwardLinks: readonly OutwardTemplate[];
};

const ABSENT: PageConfig = { apiUrl: location.origin, demo: false, version: '', outwardLinks: [] };

/**
 * The configuration that the server wrote into the page; the defaults under `npm run dev`, where no server wrote one.
 */
function readPageConfig(): PageConfig {
  try {
    const text = document.getElementById('assay-config')?.textContent ?? '';
    return { ...ABSENT, ...(JSON.parse(text) as Partial<PageConfig>) };
  } catch {
    return ABSENT;
  }
}

export const pageConfig = readPageConfig();
