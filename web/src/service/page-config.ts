export type PageConfig = { readonly apiUrl: string; readonly demo: boolean; readonly version: string };

const ABSENT: PageConfig = { apiUrl: location.origin, demo: false, version: '' };

/** What the server wrote into the page. Absent while developing, where no server made it. */
function readPageConfig(): PageConfig {
  try {
    const text = document.getElementById('assay-config')?.textContent ?? '';
    return { ...ABSENT, ...(JSON.parse(text) as Partial<PageConfig>) };
  } catch {
    return ABSENT;
  }
}

export const pageConfig = readPageConfig();
