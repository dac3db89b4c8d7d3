/** Paths of the pages about something that indicators have in common: a family, a source, a network. */
export const familyPath = (name: string): string => `/family/${encodeURIComponent(name.toWellFormed())}`;
export const sourcePath = (id: string): string => `/source/${encodeURIComponent(id.toWellFormed())}`;
export const asnPath = (asn: number): string => `/asn/${asn}`;
/** The slash and the colons of a range stay, so that people can type it. */
export const networkPath = (cidr: string): string => `/network/${encodeURI(cidr.toWellFormed())}`;
