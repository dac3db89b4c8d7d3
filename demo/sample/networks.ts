export type NetworkUse = 'hosting' | 'access' | 'cloud' | 'cdn' | 'vpn' | 'research' | 'quiet';

export type SampleNetwork = {
  /** Reserved for documentation (RFC 5398): no operator has these numbers. */
  readonly asn: number;
  readonly name: string;
  readonly use: NetworkUse;
  readonly prefix4: string;
  /** The first two groups of its /32, from space that is allocated to no registry. */
  readonly prefix6: string;
  readonly city: string;
  readonly region: string;
  readonly countryCode: string;
  readonly country: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly timeZone: string;
};

type Place = readonly [string, string, string, string, number, number, string];

const PLACES = {
  frankfurt: ['Frankfurt', 'Hesse', 'DE', 'Germany', 50.11, 8.68, 'Europe/Berlin'],
  amsterdam: ['Amsterdam', 'North Holland', 'NL', 'Netherlands', 52.37, 4.9, 'Europe/Amsterdam'],
  warsaw: ['Warsaw', 'Mazovia', 'PL', 'Poland', 52.23, 21.01, 'Europe/Warsaw'],
  paris: ['Paris', 'Ile-de-France', 'FR', 'France', 48.86, 2.35, 'Europe/Paris'],
  london: ['London', 'England', 'GB', 'United Kingdom', 51.51, -0.13, 'Europe/London'],
  madrid: ['Madrid', 'Madrid', 'ES', 'Spain', 40.42, -3.7, 'Europe/Madrid'],
  zurich: ['Zurich', 'Zurich', 'CH', 'Switzerland', 47.37, 8.54, 'Europe/Zurich'],
  helsinki: ['Helsinki', 'Uusimaa', 'FI', 'Finland', 60.17, 24.94, 'Europe/Helsinki'],
  istanbul: ['Istanbul', 'Istanbul', 'TR', 'Turkey', 41.01, 28.98, 'Europe/Istanbul'],
  newYork: ['New York', 'New York', 'US', 'United States', 40.71, -74.01, 'America/New_York'],
  dallas: ['Dallas', 'Texas', 'US', 'United States', 32.78, -96.8, 'America/Chicago'],
  seattle: ['Seattle', 'Washington', 'US', 'United States', 47.61, -122.33, 'America/Los_Angeles'],
  toronto: ['Toronto', 'Ontario', 'CA', 'Canada', 43.65, -79.38, 'America/Toronto'],
  mexico: ['Mexico City', 'Mexico City', 'MX', 'Mexico', 19.43, -99.13, 'America/Mexico_City'],
  saoPaulo: ['Sao Paulo', 'Sao Paulo', 'BR', 'Brazil', -23.55, -46.63, 'America/Sao_Paulo'],
  bogota: ['Bogota', 'Bogota', 'CO', 'Colombia', 4.71, -74.07, 'America/Bogota'],
  lagos: ['Lagos', 'Lagos', 'NG', 'Nigeria', 6.52, 3.38, 'Africa/Lagos'],
  capeTown: ['Cape Town', 'Western Cape', 'ZA', 'South Africa', -33.92, 18.42, 'Africa/Johannesburg'],
  mumbai: ['Mumbai', 'Maharashtra', 'IN', 'India', 19.08, 72.88, 'Asia/Kolkata'],
  singapore: ['Singapore', 'Singapore', 'SG', 'Singapore', 1.35, 103.82, 'Asia/Singapore'],
  jakarta: ['Jakarta', 'Jakarta', 'ID', 'Indonesia', -6.21, 106.85, 'Asia/Jakarta'],
  tokyo: ['Tokyo', 'Tokyo', 'JP', 'Japan', 35.68, 139.69, 'Asia/Tokyo'],
  seoul: ['Seoul', 'Seoul', 'KR', 'South Korea', 37.57, 126.98, 'Asia/Seoul'],
  sydney: ['Sydney', 'New South Wales', 'AU', 'Australia', -33.87, 151.21, 'Australia/Sydney'],
} as const satisfies Readonly<Record<string, Place>>;

const network = (
  asn: number,
  name: string,
  use: NetworkUse,
  prefix4: string,
  [city, region, countryCode, country, latitude, longitude, timeZone]: Place,
): SampleNetwork => ({
  asn,
  name: `Sample ${name}`,
  use,
  prefix4,
  prefix6: `2d00:${(asn & 0xfff).toString(16)}`,
  city,
  region,
  countryCode,
  country,
  latitude,
  longitude,
  timeZone,
});

/**
 * The networks of the sample's addresses. All of it is invented: the /16s are in blocks without public customers, so
 * that no reader finds their own address on an invented list.
 */
export const NETWORKS: readonly SampleNetwork[] = [
  network(64496, 'Hosting Main', 'hosting', '6.20', PLACES.frankfurt),
  network(64497, 'Hosting Canal', 'hosting', '6.71', PLACES.amsterdam),
  network(64498, 'Hosting Plains', 'hosting', '7.33', PLACES.dallas),
  network(64499, 'Hosting Harbour', 'hosting', '11.14', PLACES.singapore),
  network(64500, 'Hosting Vistula', 'hosting', '11.92', PLACES.warsaw),
  network(64501, 'Hosting Bosphorus', 'hosting', '21.40', PLACES.istanbul),
  network(64502, 'Broadband Andes', 'access', '21.118', PLACES.bogota),
  network(64503, 'Broadband Paulista', 'access', '22.12', PLACES.saoPaulo),
  network(64504, 'Broadband Lagoon', 'access', '22.84', PLACES.lagos),
  network(64505, 'Broadband Monsoon', 'access', '26.7', PLACES.mumbai),
  network(64506, 'Broadband Java', 'access', '26.55', PLACES.jakarta),
  network(64507, 'Broadband Iberia', 'access', '28.19', PLACES.madrid),
  network(64508, 'Broadband Han', 'access', '28.101', PLACES.seoul),
  network(64509, 'Broadband Table Bay', 'access', '29.30', PLACES.capeTown),
  network(64510, 'Broadband Anahuac', 'access', '29.66', PLACES.mexico),
  network(64511, 'Cloud North', 'cloud', '30.10', PLACES.seattle),
  network(65536, 'Cloud East', 'cloud', '30.200', PLACES.newYork),
  network(65537, 'Cloud Kanto', 'cloud', '33.16', PLACES.tokyo),
  network(65538, 'Delivery Network', 'cdn', '33.77', PLACES.london),
  network(65539, 'Private Tunnel', 'vpn', '55.8', PLACES.zurich),
  network(65540, 'Onion Friends', 'vpn', '55.61', PLACES.helsinki),
  network(65541, 'University Scanning Lab', 'research', '214.12', PLACES.toronto),
  network(65542, 'Quiet Office Network', 'quiet', '214.90', PLACES.paris),
  network(65543, 'Quiet School Network', 'quiet', '215.22', PLACES.sydney),
];

export const networksOf = (...uses: readonly NetworkUse[]): readonly SampleNetwork[] =>
  NETWORKS.filter(({ use }) => uses.includes(use));
