/**
 * Often imitated names with the domains that their owners use, mail and link domains included. One line for each: the names
 * that readers know, separated by commas, then the domains, the one that look-alikes imitate first. A tilde marks a name
 * that is also a word or a family name: in a display name it counts only where nothing else is named. With two tildes it is
 * not recognised inside a longer domain name either. A caret marks a name that independent members have in domains of their
 * own. Software that others run under its name is missing. Written for this project from what the owners publish.
 */
const TABLE = `
PayPal = paypal.com paypal.me paypalobjects.com paypal-communication.com paypal-corp.com xoom.com venmo.com braintreegateway.com
Microsoft, Office 365, Microsoft 365, OneDrive, SharePoint = microsoft.com office.com office365.com microsoftonline.com outlook.com live.com hotmail.com msn.com onmicrosoft.com sharepoint.com sharepointonline.com microsoftemail.com azure.com windows.com onedrive.com xbox.com bing.com aka.ms skype.com visualstudio.com windowsazure.com microsoft365.com cloud.microsoft microsoftstore.com 1drv.ms
~Apple, iCloud, Apple ID, iTunes = apple.com icloud.com me.com mac.com itunes.com apple.co cdn-apple.com
Amazon, Amazon Prime, AWS, Amazon Web Services = amazon.com amazon.de amazon.co.uk amazon.fr amazon.it amazon.es amazon.ca amazon.co.jp amazon.in amazon.com.br amazon.com.au amazon.com.mx amazon.nl amazon.se amazon.pl amazon.com.tr amazon.ae amazon.sa amazon.sg amazon.eg amazon.com.be amazonses.com amazonaws.com awsapps.com amazon.jobs a.co amzn.to amzn.eu primevideo.com audible.com amazon-adsystem.com amazonbusiness.com aboutamazon.com
Google, Gmail, Google Drive, Google Workspace = google.com gmail.com googlemail.com google.de google.co.uk google.fr goog.le googleapis.com googleusercontent.com youtube.com youtu.be withgoogle.com gstatic.com google.dev android.com chromium.org doubleclick.net appspotmail.com forms.gle goo.gl g.co share.google blogger.com googlegroups.com
Facebook, Meta Business = facebook.com facebookmail.com fb.com meta.com fb.me fbcdn.net metamail.com workplace.com messenger.com metabusiness.com
Instagram = instagram.com ig.me cdninstagram.com
WhatsApp = whatsapp.com whatsapp.net wa.me
Netflix = netflix.com nflximg.net nflxext.com
LinkedIn = linkedin.com lnkd.in licdn.com linkedin.email
Dropbox, Dropbox Sign, HelloSign = dropbox.com dropboxmail.com db.tt hellosign.com getdropbox.com dropboxusercontent.com
DocuSign = docusign.com docusign.net docusign.eu docusigntrial.com
Adobe, Adobe Sign, Acrobat Sign = adobe.com adobesign.com adobecc.com echosign.com behance.net frame.io acrobat.com adobelogin.com
Telegram = telegram.org telegram.me t.me
Twitter = twitter.com x.com t.co twimg.com
TikTok = tiktok.com tiktokv.com tiktok-notification.com tiktokcdn.com bytedance.com
Spotify = spotify.com spotifymail.com spoti.fi
Discord = discord.com discordapp.com discord.gg discord.gift discordapp.net
~Steam, Steam Support = steampowered.com steamcommunity.com valvesoftware.com steamgames.com
Roblox = roblox.com rbxcdn.com
eBay = ebay.com ebay.de ebay.co.uk ebay.fr ebay.it ebay.com.au ebay.ca ebay.es ebay.us ebaydesc.com ebayimg.com
Walmart = walmart.com walmart.ca walmartimages.com samsclub.com
Costco = costco.com costco.ca costco.co.uk costcotravel.com
Alibaba, AliExpress, Alipay = alibaba.com aliexpress.com alipay.com alibaba-inc.com aliyun.com alicdn.com 1688.com taobao.com
DHL, DHL Express = dhl.com dhl.de dhl.co.uk dhl.fr dhlparcel.nl deutschepost.de dpdhl.com dhl-news.com dhlecommerce.com
FedEx = fedex.com fedexoffice.com tnt.com
~UPS, United Parcel Service = ups.com upsemail.com ups.ca ups.de theupsstore.com
USPS, US Postal Service = usps.com usps.gov uspis.gov
~Hermes, Evri = hermes.com myhermes.de hermesworld.com evri.com myhermes.co.uk
~Chase, JPMorgan, Chase Bank = chase.com jpmorgan.com jpmorganchase.com jpmchase.com
Wells Fargo = wellsfargo.com wf.com wellsfargoadvisors.com wellsfargoemail.com
Bank of America = bankofamerica.com bofa.com ml.com merrilledge.com bac.com
Citibank, Citi Bank = citibank.com citi.com citigroup.com citicards.com
American Express, Amex = americanexpress.com aexp.com amex.com membershiprewards.com americanexpress.io
HSBC = hsbc.com hsbc.co.uk hsbc.com.hk hsbc.fr firstdirect.com hsbc.ca
~Barclays = barclays.co.uk barclays.com barclaycard.co.uk barclaycardus.com barclaysus.com
~Santander = santander.com santander.co.uk santanderbank.com gruposantander.es santander.com.br santander.de bancosantander.es santander.pl
Revolut = revolut.com revolut.me
Mastercard = mastercard.com mastercard.us mastercard.co.uk priceless.com
Coinbase = coinbase.com cbhq.net base.org
Binance = binance.com binance.us binance.org binance.me
MetaMask = metamask.io consensys.io consensys.net
~Ledger, Ledger Wallet, Ledger Live = ledger.com ledgerwallet.com ledger.fr
Trezor = trezor.io satoshilabs.com
OpenSea = opensea.io
Airbnb = airbnb.com airbnb.de airbnb.co.uk airbnb.fr airbnbmail.com
Booking.com = booking.com bookings.com bstatic.com
Vodafone = vodafone.com vodafone.de vodafone.co.uk vodafone.it vodafone.es vodafone.ie vodafone.nl vodafone.pt vodafone.com.au vodafone.in
~Yahoo, Yahoo Mail = yahoo.com yahoo.co.jp yahoo.co.uk yahoo.fr yahooinc.com ymail.com aol.com rocketmail.com yahoo.de
~Outlook, Hotmail = outlook.com hotmail.com live.com microsoft.com office.com office365.com msn.com hotmail.fr outlook.fr outlook.de hotmail.co.uk
~Zoom, Zoom Meetings = zoom.us zoom.com zoom.com.cn
~Slack = slack.com slack-edge.com slackb.com
GitHub = github.com githubusercontent.com github.io githubapp.com github.dev
Atlassian, Trello = atlassian.com atlassian.net jira.com trello.com bitbucket.org atlassian.email statuspage.io
Salesforce = salesforce.com force.com exacttarget.com salesforce-communications.com tableau.com
Shopify = shopify.com myshopify.com shopifyemail.com shop.app
Etsy = etsy.com etsystatic.com
Stripe = stripe.com stripe.network
~Square, Cash App = squareup.com square.com cash.app block.xyz
Klarna = klarna.com klarna.se klarna.de klarnaservices.com
~Wise, TransferWise = wise.com transferwise.com
Western Union = westernunion.com wu.com
MoneyGram = moneygram.com
Venmo = venmo.com paypal.com
Zelle = zellepay.com zelle.com earlywarning.com
~~Kraken = kraken.com krakenfx.com
~~Crypto.com = crypto.com mona.co
~~Blockchain.com = blockchain.com blockchain.info
KuCoin = kucoin.com kucoin.io
Bybit = bybit.com bybitglobal.com
OKX = okx.com okex.com
Trust Wallet = trustwallet.com
~~Phantom Wallet = phantom.app phantom.com
Uniswap = uniswap.org uniswap.com
~~Norton, NortonLifeLock, Norton Security = norton.com nortonlifelock.com lifelock.com symantec.com gendigital.com
McAfee = mcafee.com mcafeemail.com trellix.com mcafeesecure.com
Avast = avast.com avast.io avg.com
Kaspersky = kaspersky.com kaspersky.de kaspersky.ru
Bitdefender = bitdefender.com bitdefender.net
Malwarebytes = malwarebytes.com
Geek Squad, Best Buy = bestbuy.com geeksquad.com bestbuy.ca
~~Target, Target Circle = target.com targetcircle.com
Home Depot, The Home Depot = homedepot.com homedepot.ca
Lowes, Lowe's = lowes.com lowes.ca
Starbucks = starbucks.com starbucks.de starbucks.co.uk starbucksreserve.com
McDonald's, McDonalds = mcdonalds.com mcdonalds.de mcd.com
Omaha Steaks = omahasteaks.com
Bath & Body Works = bathandbodyworks.com bbwinc.com bathandbodyworksemail.com
Sephora = sephora.com sephora.fr sephora.de
IKEA = ikea.com ikea.net ingka.com
Lidl = lidl.com lidl.de lidl.fr lidl.co.uk lidl.nl lidl.it lidl.es lidl.pl
ALDI = aldi.com aldi-sued.de aldi-nord.de aldi.co.uk aldi.us aldi.nl
EDEKA = edeka.de edeka.com edeka24.de
REWE = rewe.de rewe-group.com
Kaufland = kaufland.de kaufland.com
MediaMarkt, Media Markt = mediamarkt.de mediamarkt.com mediamarkt.nl mediamarkt.es mediamarktsaturn.com saturn.de
Carrefour = carrefour.com carrefour.fr carrefour.es carrefour.it
Leroy Merlin = leroymerlin.com leroymerlin.fr leroymerlin.es leroymerlin.it leroymerlin.com.br adeo.com
Decathlon = decathlon.com decathlon.fr decathlon.de decathlon.co.uk decathlon.net
Nutella, Ferrero = nutella.com ferrero.com ferrero.de
Verkade = verkade.nl pladis.com
Center Parcs = centerparcs.com centerparcs.nl centerparcs.de centerparcs.fr centerparcs.co.uk groupepvcp.com
State Farm, StateFarm = statefarm.com
GEICO = geico.com
~~Progressive Insurance = progressive.com
Allstate = allstate.com
UnitedHealthcare, United Healthcare, UnitedHealth = unitedhealthcare.com uhc.com unitedhealthgroup.com optum.com myuhc.com uhg.com
Blue Cross Blue Shield, Blue Cross = bcbs.com anthem.com bluecrossma.com bcbsm.com bcbstx.com bcbsil.com
Cigna = cigna.com evernorth.com mycigna.com
Aetna = aetna.com
Walgreens = walgreens.com walgreens.email
CVS Pharmacy, CVS Health = cvs.com cvshealth.com caremark.com
Capital One = capitalone.com capitalone360.com capitalone.co.uk
~~Discover, Discover Card = discover.com discovercard.com discoverbank.com
US Bank = usbank.com usbancorp.com
PNC Bank = pnc.com
TD Bank = td.com tdbank.com tdameritrade.com
Navy Federal, Navy Federal Credit Union = navyfederal.org
USAA = usaa.com
Charles Schwab = schwab.com aboutschwab.com
~~Fidelity, Fidelity Investments = fidelity.com fmr.com fidelity.co.uk
~~Robinhood = robinhood.com rbnhd.co
Intuit, QuickBooks, TurboTax = intuit.com quickbooks.com turbotax.com intuit.net creditkarma.com mailchimp.com mint.com
IRS, Internal Revenue Service = irs.gov treasury.gov
Social Security Administration = ssa.gov
HMRC, HM Revenue & Customs = hmrc.gov.uk gov.uk
DVLA = dvla.gov.uk gov.uk
Royal Mail = royalmail.com royalmail.co.uk parcelforce.com
DPD = dpd.com dpd.de dpd.co.uk dpd.fr dpd.nl dpdgroup.com dpdlocal.co.uk
GLS Paket = gls-group.eu gls-group.com gls-pakete.de gls-us.com
PostNL = postnl.nl postnl.com postnl.be
La Poste, Chronopost, Colissimo = laposte.fr chronopost.fr colissimo.fr laposte.net
Correos = correos.es correos.com
Poste Italiane = poste.it posteitaliane.it postepay.it
Canada Post = canadapost.ca canadapost-postescanada.ca
Australia Post, AusPost = auspost.com.au
Lloyds Bank = lloydsbank.com lloydsbank.co.uk lloydsbankinggroup.com halifax.co.uk
NatWest = natwest.com rbs.co.uk natwestgroup.com
Monzo = monzo.com
Starling Bank = starlingbank.com
~~Nationwide, Nationwide Building Society = nationwide.co.uk nationwide.com
Deutsche Bank = deutsche-bank.de db.com deutschebank.com postbank.de
Commerzbank = commerzbank.de commerzbank.com
^Sparkasse = sparkasse.de sparkasse.at dsgv.de s-finanzportal.de
^Volksbank, Raiffeisenbank, Volksbanken = volksbank.de vr.de volksbank.at raiffeisen.at raiffeisen.ch bvr.de atruvia.de
Consorsbank = consorsbank.de bnpparibas.com consorsfinanz.de
Comdirect = comdirect.de
~ING, ING-DiBa, ING Bank = ing.com ing.de ing.nl ing.be ing-diba.de ing.es ing.pl
N26 = n26.com number26.de
Targobank = targobank.de
DKB = dkb.de
BNP Paribas = bnpparibas.com mabanque.bnpparibas bnpparibas.net bnpparibasfortis.be
Crédit Agricole, Credit Agricole = credit-agricole.fr credit-agricole.com ca-paris.fr
Société Générale, Societe Generale = societegenerale.fr societegenerale.com sg.fr
La Banque Postale = labanquepostale.fr
Rabobank = rabobank.nl rabobank.com
ABN AMRO = abnamro.nl abnamro.com
KBC Bank = kbc.be kbc.com
Intesa Sanpaolo = intesasanpaolo.com intesasanpaolo.it
UniCredit = unicredit.it unicreditgroup.eu unicredit.eu hypovereinsbank.de
BBVA = bbva.com bbva.es bbva.mx bbva.com.co
CaixaBank = caixabank.es caixabank.com lacaixa.es
UBS = ubs.com
Credit Suisse = credit-suisse.com
PostFinance = postfinance.ch
Swisscom = swisscom.ch swisscom.com bluewin.ch
Bradesco, Banco Bradesco = bradesco.com.br bradesco.com banco.bradesco
Itaú, Banco Itau = itau.com.br itau.com
Banco do Brasil = bb.com.br bancodobrasil.com.br
Nubank = nubank.com.br nubank.com nu.com.br
Caixa Econômica, Caixa Economica Federal = caixa.gov.br
~~Receita Federal = fazenda.gov.br gov.br
Mercado Libre, Mercado Livre, Mercado Pago = mercadolibre.com mercadolivre.com.br mercadopago.com mercadolibre.com.ar mercadolibre.com.mx mercadopago.com.br
Deutsche Bahn = bahn.de deutschebahn.com dbregio.de bahn.com
~~Deutsche Telekom, T-Mobile = telekom.de telekom.com t-online.de t-mobile.com t-mobile.nl magenta.at
~~ELSTER = elster.de bund.de
Lufthansa = lufthansa.com lufthansa-group.com miles-and-more.com austrian.com
Ryanair = ryanair.com
SNCF = sncf.com sncf-connect.com sncf.fr
EE Mobile, BT Group = ee.co.uk bt.com
AT&T = att.com att.net att-mail.com
Verizon = verizon.com verizonwireless.com verizonemail.com vzw.com
Comcast, Xfinity = comcast.com xfinity.com comcast.net
~~Orange, Orange Bank = orange.fr orange.com orange.es orange.pl orange.be
SFR = sfr.fr sfr.com altice.com
Ameli, Assurance Maladie, CPAM = ameli.fr assurance-maladie.fr
Impots.gouv, DGFiP = impots.gouv.fr gouv.fr
GoDaddy = godaddy.com secureserver.net godaddy.co.uk
Namecheap = namecheap.com
IONOS = ionos.com ionos.de 1und1.de ionos.co.uk 1and1.com
~~STRATO = strato.de strato.com
OVHcloud = ovh.com ovhcloud.com ovh.net
Cloudflare = cloudflare.com cloudflare.net
WeTransfer = wetransfer.com we.tl
DigitalOcean = digitalocean.com
Heroku = heroku.com herokuapp.com
Squarespace = squarespace.com sqsp.com
Mailchimp = mailchimp.com mcsv.net list-manage.com mailchimpapp.com intuit.com
SendGrid, Twilio = sendgrid.com sendgrid.net twilio.com
HubSpot = hubspot.com hubspotemail.net hs-sites.com
Disney+, Disney Plus = disneyplus.com disney.com go.com
HBO Max = hbomax.com max.com hbo.com
Hulu = hulu.com hulumail.com
Paramount+ = paramountplus.com paramount.com
PlayStation = playstation.com sony.com sonyentertainmentnetwork.com playstation.net
Nintendo = nintendo.com nintendo.net nintendo.de
Epic Games, Fortnite = epicgames.com fortnite.com unrealengine.com
Snapchat = snapchat.com snap.com
Pinterest = pinterest.com pinterest.de pin.it
Reddit = reddit.com redditmail.com redd.it
Uber, Uber Eats = uber.com ubereats.com
DoorDash = doordash.com
Instacart = instacart.com
Expedia = expedia.com expediagroup.com hotels.com vrbo.com expedia.de
Marriott = marriott.com marriott.co.uk bonvoy.com
~~Hilton Honors = hilton.com hiltonhonors.com
Delta Air Lines = delta.com
~~United Airlines = united.com
British Airways = ba.com britishairways.com
Costa Coffee = costa.co.uk costacoffee.com
Tesco = tesco.com tescobank.com tescomobile.com
Sainsbury's, Sainsburys = sainsburys.co.uk nectar.com
Argos = argos.co.uk
Currys = currys.co.uk
Zalando = zalando.com zalando.de zalando.fr zalando.nl zalando.it zalando.co.uk
OTTO Versand = otto.de otto.com
Temu = temu.com temuemail.com
SHEIN = shein.com sheinemail.com
Samsung = samsung.com samsung.de samsungmail.com
Sony = sony.com sony.de sony.co.jp playstation.com
Hewlett Packard, HP Instant Ink = hp.com hpe.com hpsmart.com
Dell Technologies = dell.com emc.com dell.co.uk
Lenovo = lenovo.com
Nvidia = nvidia.com
OpenAI, ChatGPT = openai.com chatgpt.com oaistatic.com
Anthropic = anthropic.com claude.ai claude.com
SAP Concur = sap.com concur.com concursolutions.com
~~Workday = workday.com myworkday.com
Okta = okta.com oktapreview.com
LastPass = lastpass.com logmein.com goto.com
1Password = 1password.com agilebits.com
Bitwarden = bitwarden.com
Proton Mail = proton.me protonmail.com protonvpn.com pm.me
Zoho = zoho.com zoho.eu zohomail.com zohocorp.com
Webex = webex.com cisco.com
TeamViewer = teamviewer.com
AnyDesk = anydesk.com
Xerox = xerox.com
E-ZPass, EZPass = e-zpassny.com ezpassnj.com e-zpassiag.com ezpassva.com ezdrivema.com
SunPass = sunpass.com
`;

export type OwnedBrand = {
  /** The names that readers know; the first is the one that is displayed. */
  readonly names: readonly string[];
  readonly domains: readonly string[];
  /** Its name is also a word or a family name. */
  readonly isWord: boolean;
  /** The name is a word that many unrelated domain names contain. */
  readonly isCommonPart: boolean;
  /** Independent members, such as savings banks, use the name in domains of their own. */
  readonly isShared: boolean;
};

export const BRAND_TABLE: readonly OwnedBrand[] = TABLE.trim()
  .split('\n')
  .map((line) => {
    const [names = '', domains = ''] = line.split(' = ');
    return {
      names: names.replace(/^[~^]+/, '').split(', '),
      domains: domains.split(' '),
      isWord: names.startsWith('~'),
      isCommonPart: names.startsWith('~~'),
      isShared: names.startsWith('^'),
    };
  });
