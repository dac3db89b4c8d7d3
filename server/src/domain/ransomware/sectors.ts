/**
 * The sectors that answers use, each with the words that trackers and the MISP sector list use for it. Words in no row
 * give no sector.
 */
const TABLE = {
  agriculture:
    'agriculture and food production, agriculture, food, agri-food, food & beverage, food and beverage',
  'business services':
    'business services, professional services, consulting, consultancy, human resources, outsourcing, security service, cleaning',
  construction: 'construction, engineering, building, civil engineering, architecture',
  'consumer services': 'consumer services, consumer, services, personal services',
  defence: 'defence, defense, military, aerospace and defense, arms, aerospace',
  education:
    'education, academia - university, academia, university, higher education, schools, school, research - innovation',
  energy: 'energy, oil and gas, oil, gas, electric, petrochemical, nuclear, oil & gas',
  'financial services':
    'financial services, finance, financial, bank, banking, insurance, payment, investment, fintech, financial fraud',
  healthcare:
    'healthcare, health, hospital, hospitals, medical, health care, veterinary, dentist, health - public',
  'hospitality and tourism':
    'hospitality and tourism, hospitality, tourism, hotels, travel, restaurant, gastronomy, leisure',
  legal: 'legal, law, lawyers, law firms, legal services, law practice',
  manufacturing:
    'manufacturing, industrial, industry, automotive, electronic, chemical, chemicals, textile, machinery, steel, packaging',
  media:
    'media, entertainment, news, press, publishing, publishing industry, news - media, broadcast, arts, gaming, sports',
  mining: 'mining, metals, mining & metals, minerals',
  'non-profit':
    'non-profit, nonprofit, ngo, ngos, charity, religious organisations, religious organizations, civil society',
  pharmaceutical: 'pharmaceutical, pharma, pharmacy, biotechnology, biomedical, life sciences, life science',
  'public sector':
    'public sector, government, administration, government, administration; government, public administration, local government, police - law enforcement, diplomacy, country, citizens, justice, embassy, municipality',
  'real estate': 'real estate, property, housing',
  retail: 'retail, wholesale, trade, e-commerce, ecommerce, retail & wholesale, supermarket, fashion, luxury',
  technology:
    'technology, it, information technology, software, hardware, it - hacker, it - isp, it - security, hosting, semi-conductors, digital services, cybersecurity, data broker, programming',
  telecommunication:
    'telecommunication, telecommunications, telecoms, telecom, satellite navigation, communication equipment',
  'transportation and logistics':
    'transportation/logistics, transportation, transport, logistics, logistic, maritime, shipping, airlines, aviation, civil aviation, railway, travel and transport, ports, shipbuilding',
  utilities: 'utilities, water, water utilities, waste management, recycling, environment',
} as const;

export type Sector = keyof typeof TABLE;

export const SECTORS: readonly Sector[] = Object.keys(TABLE) as Sector[];

const wordOf = (text: string): string => text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim();

const BY_WORD: ReadonlyMap<string, Sector> = new Map(
  Object.entries(TABLE).flatMap(([sector, words]) =>
    [sector, ...words.split(',')].map((word) => [wordOf(word), sector as Sector] as const),
  ),
);

/** The sector that a source names. "Not Found" and words without a row are null; a name of a victim is never read. */
export const sectorOf = (activity: unknown): Sector | null =>
  typeof activity === 'string' ? (BY_WORD.get(wordOf(activity)) ?? null) : null;

/** The sector that a caller asks for: by its own name in any case, else by a word of the table. */
export const findSector = (text: string): Sector | null =>
  SECTORS.find((sector) => sector === wordOf(text)) ?? sectorOf(text);
