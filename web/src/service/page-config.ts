export type PageConfig = { readonly apiUrl: string; readonly demo: boolean; readonly version: string };

const ABSENT: PageConfig = { apiUrl: location.origin, demo: false, version: '' };

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
