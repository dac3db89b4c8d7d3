import type { Domain, Indicator, Ip } from './indicator.ts';

/** Returns a form that no program turns into a link; `parseIndicator` reads it back to the same indicator. */
export function defang(indicator: Indicator): string {
  switch (indicator.kind) {
    case 'hash':
      return indicator.value;
    case 'email':
      return indicator.value
        .slice(0, -indicator.domain.value.length - 1)
        .concat('[@]', dots(indicator.domain.value));
    case 'url':
      return defangUrl(indicator.value, indicator.host);
    default:
      return colons(dots(indicator.value));
  }
}

function defangUrl(value: string, host: Ip | Domain): string {
  const hostStart = value.indexOf('://') + 3;
  const hostEnd = value.indexOf(host.value, hostStart) + host.value.length;
  const scheme = value.startsWith('ftp') ? 'fxp' : value.slice(0, hostStart - 3).replace('http', 'hxxp');
  return `${scheme}[://]${colons(dots(value.slice(hostStart, hostEnd)))}${value.slice(hostEnd)}`;
}

const dots = (text: string): string => text.replaceAll('.', '[.]');
const colons = (text: string): string => text.replaceAll(':', '[:]');
