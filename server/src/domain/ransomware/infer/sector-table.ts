import type { Sector } from '../sectors.ts';

/**
 * Words of registered names that show a sector, in the languages of the victims; `*` stands for any ending. Longer
 * entries are read first and used up: a food bank is no bank.
 */
export const SECTOR_WORDS = {
  agriculture:
    'farm, farms, foods, agro, agri*, dairy, poultry, meats, seafood, bakery, bakeries, brewing, brewery, breweries, winery, wineries, vineyard*, beverage*, bottling, alimentos, lebensmittel, molkerei, produce company, fresh produce, food products',
  'business services':
    'accounting, accountant*, accountancy, cpa, cpas, certified public accountants, staffing, consulting, consultant*, consultancy, consultores, recruitment, recruiting, steuerberat*, chartered accountants, janitorial',
  construction:
    'construction, constructions, construcciones, construcoes, constructora, construtora, costruzioni, contractor*, contracting, builders, homebuilders, roofing, plumbing, paving, asphalt, masonry, excavating, excavation, civil engineering, consulting engineers, architect, architects, architecture, architekten, architectes, hochbau, tiefbau, bauunternehmen, bauunternehmung, bau gmbh',
  'consumer services': 'funeral, funeral home, childcare, child care, daycare, pest control, fitness',
  defence:
    'armed forces, army, navy, air force, ministry of defence, ministry of defense, munitions, ordnance',
  education:
    'school, schools, isd, university, universities, college, colleges, academy, academies, universidad, universidade, universita, universite, universitat, universiteit, hochschule, fachhochschule, lycee, liceo, liceu, colegio, ecole, escola, escuela, schule, schulen, education, educational, polytechnic, polytechnique, politecnico, institute of technology, kindergarten, preschool, montessori, school district, law school, medical school, business school, school of law, school of medicine, bible college',
  energy:
    'energy, energia, energie, petroleum, petroleo, oil gas, oilfield, oilfields, drilling, solar, wind power, hydropower, power plant, electric cooperative, electric coop, electricity, refinery, pipeline, pipelines, nuclear, propane, biogas, power company',
  'financial services':
    'bank, banco, banca, banque, bancorp, bancshares, credit union, insurance, insurances, assurances, versicherung*, seguros, assicurazioni, verzekeringen, mortgage, mortgages, securities, asset management, wealth management, wealth, capital management, investments, financial, finance, finanz*, fintech, lending, loans, microfinance, pension fund, federal credit union, reinsurance',
  healthcare:
    'hospital, hospitals, hopital, hospitalier, clinic, clinics, clinica, clinicas, clinique, klinik, kliniken, klinikum, healthcare, health, medical, medicine, dental, dentist*, dentistry, orthodont*, orthopaedic*, orthopedic*, pediatric*, paediatric*, dermatology, cardiology, oncology, urology, radiology, gastroenterology, ophthalmology, obstetrics, surgery, surgeons, nursing, physicians, hospice, physical therapy, pathology, veterinary, ambulance, ospedale, ospedaliera, asl, salud, krankenhaus, ziekenhuis, ehpad, eyecare, eye care, eye center, nhs, fertility, anesthesia, chiropractic, optometr*, blood bank, city of hope, nephrology, neurology, county hospital, university hospital, university medical center, hospital district, homecare, home health, health department, hospital authority, medical college, university health',
  'hospitality and tourism':
    'hotel, hotels, resort, resorts, casino, casinos, restaurant, restaurants, travel, tours, tourism, turismo, viajes, voyages, cruise, cruises, catering, pizza, steakhouse, country club, golf club, hostel, vacations, camping, ristorante',
  legal:
    'law, lawyers, lawyer, attorneys, attorney, solicitors, solicitor, barristers, legal, avocats, avocat, abogados, advogados, rechtsanwalt*, rechtsanwaelte, anwalt*, kanzlei, avvocati, notaire, notaires, notarial, notario, notary, advocaten, law group, law firm, law offices, attorneys at law, insurance law, immigration law',
  manufacturing:
    'manufacturing, manufacturer, manufacturers, mfg, plastics, machinery, machine works, foundry, castings, machine tools, tool die, tool and die, steel, packaging, textile, textiles, chemical, chemicals, fabrication, fabricators, metallbau, maschinenbau, maschinenfabrik, werkzeugbau, bearings, valves, pumps, coatings, paper mill, paper mills, kunststofftechnik, extrusion, extrusions, forging, forge, stamping, machining',
  media:
    'broadcasting, television, radio station, newspaper, newspapers, publishing, publishers, publications, verlag, editori, edizioni, magazine, media group, media house, film, films, cinema, theatre, theater, theatres, entertainment',
  mining: 'mining, minerals, minera, mineracao, gold mine, quarries, coal',
  'non-profit':
    'fundacion, fundacao, fondazione, fondation, stiftung, charity, charities, diocese, archdiocese, church, churches, food bank, ymca, ywca, red cross, united way, goodwill industries, habitat for humanity, synagogue, jewish federation, caritas, humane society, boys girls club, community foundation, ministries',
  pharmaceutical:
    'pharma, pharmaceutical*, pharmacy, pharmacies, farmacia, farmacias, apotheke, biotech, biotechnology, biopharma*, biosciences, life sciences, life science, biologics',
  'public sector':
    'county of, city of, town of, village of, township, county council, city council, borough council, district council, town council, parish council, county government, county sheriff, comune, municipality, municipalidad, municipio, prefeitura, camara municipal, ayuntamiento, comune di, mairie, ville de, gemeente, gemeinde, stadtverwaltung, landkreis, ministry, ministry of, ministere, ministerio, ministero, ministerium, department of, government, gouvernement, gobierno, governo, police, police department, polizei, sheriff, sheriffs office, district court, circuit court, county court, county clerk, supreme court, parliament, senate, embassy, consulate, fire department, fire district, secretaria de, communaute de communes, agglomeration, law enforcement, district attorney, attorney general, ministry of health, ministry of education, ministry of finance, department of health, department of education, department of transportation, ministry of energy, ministry of transport, regione, provincia di, tribunal, prefecture, public library',
  'real estate':
    'real estate, realty, realtors, realtor, immobilien, immobilier, inmobiliaria, imobiliaria, immobiliare, property management, properties, apartments, vastgoed, property group, housing association, immobiliengesellschaft, real estate investment, real estate investments',
  retail:
    'supermarket, supermarkets, supermercado, supermercados, department store, stores, jewelry, jewelers, jewellers, boutique, dealership, wholesale, grocery, grocers, supermarches, hypermarket',
  technology:
    'software, information technology, data center, data centers, datacenter, it services, it solutions, it consulting, hosting, web hosting, cybersecurity, cyber security, informatica, informatique, computer, computers, semiconductor, semiconductors, infotech, healthcare it, bank software',
  telecommunication:
    'telecom, telecoms, telekom, telecommunication, telecommunications, telecomunicaciones, telecomunicacoes, telephone, broadband, wireless',
  'transportation and logistics':
    'logistics, logistic, logistica, logistik, logistique, transport, transports, transportes, transporte, trasporti, transportation, trucking, freight, cargo, shipping, airlines, airline, airways, airport, aeroporto, flughafen, railway, railways, railroad, port of, port authority, spedition, courier, couriers, transit, haulage, warehousing, aviation, freight forwarding, freightlines',
  utilities:
    'water district, water authority, water utility, water utilities, water services, waterworks, wastewater, waste, waste management, recycling, utilities, stadtwerke, sanitation, water company, water works, sewer',
} as const satisfies Record<Sector, string>;

/** Phrases that hold a word of the table and show no sector. */
export const NO_SECTOR_WORDS =
  'medical devices, medical device, medical equipment, medical supply, medical supplies, mining systems, intellectual property, west bank, south bank, left bank, data bank, think tank, steel city, old school, quality assurance, oil painting, health club, army navy, salvation army, bank street, bell canada, video production, solar system';

/** A name with one of these is of a supplier or an overseer of the sector that its other words name. */
export const BESIDE_SECTOR =
  'supply, supplies, supplier, suppliers, distributor, distributors, distribution, distributing, equipment, furnishings, regulator, regulatory, regulation';

/**
 * Parts of the name in a domain that show a sector, for names that were written together (`medicalodges`, `floodlaw`).
 * `^` and `$` tie a part to the start or the end of the name.
 */
export const SECTOR_PARTS = {
  agriculture: 'foods$, farms$, winery, vineyard, brewing, brewery, poultry, dairy',
  'business services': 'accounting, accountant, cpas$, staffing, consulting, consultant, recruitment',
  construction:
    'construction, construct$, construtora, constructora, contractor, contracting, builders, roofing, plumbing, paving, architects, architekt',
  education: 'school, college, universit, academy, escola, colegio, schule$, isd$',
  energy: 'energy, petroleum',
  'financial services':
    'insurance, creditunion, mortgage, assurances, seguros, versicherung, investments, financ, wealthmanagement, bank$, ^banco, ^bank',
  healthcare:
    'hospital, clinic, klinik, orthop, pediatric, paediatric, healthcare, health, medical, dentist, smile, dermatolog, cardiolog, veterinar, surgery, ^dental, dental$, eyecare, radiolog, oncolog',
  'hospitality and tourism': 'hotel, resort, restaurant, casino, catering, travel',
  legal:
    'lawfirm, lawgroup, lawoffice, lawcenter, lawservice, lawyer, attorney, solicitor, avocat, abogado, rechtsanw, law$, ^law, legal$, ^legal, advocaten',
  manufacturing: 'manufactur, plastic, packaging, machinery, mfg$, steel$, chemicals, foundry',
  media: 'publishing, television, broadcasting, newspaper, entertainment',
  mining: 'mining$',
  'non-profit': 'diocese, ymca',
  pharmaceutical: 'pharma, biotech',
  'public sector':
    '^cityof, ^townof, ^villageof, township, municip, mairie, gemeente, ayuntamiento, ^comune, ^ville-, police',
  'real estate': 'realty, realestate, immobili, inmobili, properties, property, apartments',
  retail: 'supermarket, supermercado, jewel',
  technology: 'software, hosting$, cybersecurity, datacenter',
  telecommunication: 'telecom, telekom',
  'transportation and logistics':
    'logistic, logistik, transport, trucking, freight, airline, airport, airways, shipping$, aviation, spedition',
  utilities: 'waterdistrict, wastewater, recycling, stadtwerke',
} as const satisfies Partial<Record<Sector, string>>;

/** Names that hold a part of the table by accident. */
export const NO_SECTOR_PARTS =
  'burbank, southbank, northbank, foodbank, databank, powerbank, outlaw, bylaw, claw, flaw, occidental, accidental, incidental, lawrence, lawson, lawton, lawn, lawless, bankrupt, banks, illegal, legally, lawler, bankole';

/** Public suffixes and second-level names that a registry gives to one sector alone. */
export const SECTOR_SUFFIXES = {
  education: 'edu, ac, sch, k12, school, university, college, academy',
  'public sector': 'gov, gob, gouv, govt, gub, go, gc, police, gv',
  defence: 'mil',
  healthcare: 'nhs, hospital, clinic, dental, dentist, doctor, health',
  'financial services': 'bank, insurance, mortgage',
  legal: 'law, lawyer, attorney, legal, abogado',
  'hospitality and tourism': 'hotel, hotels, restaurant, travel, viajes, casino, tours',
  construction: 'construction, builders, contractors, archi',
  'real estate': 'realty, realestate, immobilien, immo, apartments',
  energy: 'energy',
  'non-profit': 'church, ngo, foundation, charity',
  pharmaceutical: 'pharmacy',
} as const satisfies Partial<Record<Sector, string>>;
