const FIRST_PAGE = '/app/';

/** Screens of the dashboard that answers and emails link to. One that is planned is added here when it exists. */
const SCREENS: ReadonlySet<string> = new Set<'alerts' | 'cases' | 'cve-watch' | 'watch'>([]);

/** The address of a screen on the dashboard's host, such as `/alerts?status=OPEN`; its first page until the screen exists. */
export const pageHref = (path: `/${string}`): string =>
  SCREENS.has(/^\/([\w-]*)/.exec(path)?.[1] ?? '') ? `/app${path}` : FIRST_PAGE;
