/** Words that phishing names join to a short brand; compiled for this project. */
const WORDS = `
  access account accounts admin alert alerts app apps auth bank banking bill billing bonus business buy card care cards
  cash center chat check claim client clients cloud club co com confirm connect contact coupon credit customer customers
  dashboard deal deals delivery desk device discount docs download drive email express file files form free gift gifts
  global group help helpdesk home hub id identity inc info install invoice law legal limited link live loan locked log
  login logon mail market me member members mobile my net new news notice notification office official online order
  orders package parcel pass password pay payment payments payout phone plus portal prime pro profile promo protect
  recover recovery refund register renew renewal reset restore review reward rewards safe sale secure secured security
  server service services session shop sign signin signup site spam status store submit support survey suspend sync
  system team tech ticket track tracking transfer trust uk unlock update upgrade us usa user users validate validation
  verification verify verified vip wallet web webmail win www
`;

const NUMBERS = [
  ...Array.from({ length: 100 }, (_, number) => String(number)),
  ...Array.from({ length: 20 }, (_, number) => String(2_015 + number)),
  '24h',
  '247',
  '360',
  '365',
];

export const KEYWORDS: readonly string[] = [...WORDS.trim().split(/\s+/), ...NUMBERS];
