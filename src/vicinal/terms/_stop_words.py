"""Stop words of many languages: their articles, pronouns, prepositions, conjunctions, auxiliary verbs and a few adverbs.

The lists are short on purpose: they hold what can be in any text, whatever it is about. They also tell
languages of one script apart. English has a list of its own in `_words`.
"""

from __future__ import annotations

#: By ISO 639-1 code.
STOP_WORDS: dict[str, str] = {
    "ar": "في من على إلى عن مع هذا هذه ذلك تلك التي الذي الذين اللذان ما لا لم لن ليس كان كانت يكون تكون كما قد لقد كل بعض "
    "أو أم ثم حتى إذا إن أن أنه أنها لأن لكن بل هو هي هم هن أنا نحن أنت بين بعد قبل عند عندما منذ خلال حول دون غير "
    "أي أيضا به بها فيه فيها منه منها عليه عليها إليه له لها لهم وهو وهي وقد ولا وفي ومن وعلى كذلك حيث هناك هنا أكثر",
    "bg": "на за от се да не са по че като със ще до но или това този тази тези той тя те ние вие аз ти му го ги ни ви ме "
    "си съм сме сте беше бяха бил била има няма при след пред между през без към само още вече също както какво "
    "който която което които когато където защо всички всеки може трябва",
    "ca": "el la els les un una uns unes de del dels al als en amb per que com més però no és són ha han he hem era eren "
    "ser sigut estar està estan aquest aquesta aquests aquestes això aquell aquella jo tu ell ella nosaltres "
    "vosaltres ells elles em et es ens us li hi ho ne seu seva seus seves quan on qui què molt també encara sobre "
    "entre sense fins des ja si tot tota tots totes havia poden",
    "cs": "je se na že do ve za od po pro jako jsou jsem jsi jsme jste byl byla bylo byli být bude budou není aby ale nebo "
    "ani když pokud protože který která které kteří jak kde co kdo ten ta to ti tato tento toto tyto tím tak také "
    "taky už ještě jen při před mezi pod nad bez přes podle své svůj jeho její jejich mi mu ho ji jim jich nás nám "
    "vás vám má mají mít proto všechny až více kdy tom této tohoto",
    "da": "og er at det den de en et til på som med for af ikke der har var han hun jeg du vi dem mig dig sig os men om så "
    "fra ved eller efter over under skal kan vil ville kunne skulle blev bliver være været havde når hvor hvad hvem "
    "hvis også kun nu her denne dette disse sin sit sine deres hans hendes min mit din meget mange anden andre alle "
    "noget nogle ud op ned ind mellem uden mod blive jer",
    "de": "der die das den dem des ein eine einer eines einem einen und oder aber nicht kein keine keinen keiner ist sind "
    "war waren sein gewesen bin bist wird werden wurde wurden worden hat haben hatte hatten habe kann können konnte "
    "konnten muss müssen musste soll sollen sollte will wollen wollte darf dürfen mag mit von vom zu zum zur in im "
    "ins an am auf aus bei beim nach vor für um über unter zwischen durch gegen ohne bis seit während wegen ich du "
    "er sie es wir ihr mich dich sich uns euch ihm ihn ihnen mein meine dein seine seiner seinem seinen ihre ihrer "
    "ihrem ihren unser unsere dieser diese dieses diesem diesen jener jene welche welcher wer was wie wo wann warum "
    "dass ob wenn als weil da denn damit also so auch noch schon nur sehr mehr doch nun hier dort dann immer wieder "
    "alle alles allen etwas nichts man jede jeder jedes jedem jeden andere anderen etwa sowie bereits",
    "el": "ο η το οι τα του της των τον την τους τις και κι να με σε από για είναι ήταν θα δεν δε μη μην που πως πώς ότι "
    "αν όταν όπως αλλά ή είτε ούτε ένα ένας μια μία έναν μιας ενός στο στη στην στον στα στις στους αυτό αυτός αυτή "
    "αυτά αυτοί αυτές εγώ εσύ εμείς εσείς μου σου μας σας έχει έχουν είχε είμαι είσαι πολύ πιο μόνο ακόμα ακόμη "
    "επίσης πριν μετά κατά προς μεταξύ χωρίς κάθε όλα όλοι όλες τι ποιος ποια ποιο έτσι εδώ εκεί οποία οποίο οποίος "
    "οποίοι γιατί",
    "eo": "la kaj de en al estas estis esti estos por kun ke ne sed aŭ ĉar se kiel kiam kie kio kiu kiuj kiun kies tio tiu "
    "tiuj tiun tie tiel tiam ĉi ĉio ĉiu ĉiuj mi vi li ŝi ĝi ni ili si oni mia via lia ŝia ĝia nia ilia sia per pri "
    "sur sub el ĝis inter post antaŭ dum sen super tra ankaŭ nur jam ankoraŭ tre pli plej ju do nun povas havas "
    "havis ĝin ilin min lin da",
    "es": "el la los las un una unos unas de del al en con por para que como más pero no es son ser fue fueron era eran ha "
    "han he hay había está están estaba sido tiene tienen tenía puede pueden este esta estos estas esto ese esa esos "
    "esas eso aquel aquella yo tú él ella nosotros ellos ellas usted ustedes me te se nos os le les lo su sus mi mis "
    "tu tus nuestro nuestra cuando donde dónde quien quién qué cual cuál muy también ya si sí sobre entre sin hasta "
    "desde durante contra hacia según porque todo toda todos todas otro otra otros otras cada ni aunque mientras aún "
    "así tan poco mucho muchos mucha muchas algunos algunas",
    "et": "on ja ei et see ta ka kui oli ning aga või ma sa me te nad mis kes oma selle seda olid olen oled oleme olete "
    "olla pole mida kuid siis nagu veel juba väga kõik tema nende meie teie minu sinu kus kuna sest mitte ainult "
    "pärast enne koos ilma vahel alla peale üle läbi saab saanud võib peab neid need selles sellest sellel nii enam",
    "eu": "eta da ez du dira bat ere zen zuen dute izan baina edo zuten hori hau dela baino oso ziren beste egin bere zer "
    "nor nola non noiz bai nire zure gure haien hura haiek hauek horiek gero arte arabera artean gabe batean baten "
    "batek duen duten den diren dio die daude dago zion nahi behar ahal egiten izango",
    "fa": "و در به از که این آن را با است برای بر تا هم یا اما اگر نیز یک هر چه چون شد شده شود می نمی بود بودند باشد هستند "
    "نیست کرد کرده کند کنند دارد دارند داشت خود من تو او ما شما آنها ایشان وی همه هیچ بین پس پیش روی زیر بدون باید "
    "دیگر همین همان هنوز فقط بسیار خیلی چند آنکه اینکه کسی چیزی ولی زیرا ها های ای",
    "fi": "ja on ei että se hän oli ovat mutta kun niin tai sekä ole olla ollut olivat myös jos kuin joka jotka mikä mitä "
    "joita jossa josta tämä tämän tätä tässä nämä ne niiden siitä sen siinä sitä minä sinä me te he minun sinun "
    "hänen meidän teidän heidän minut sinut häntä niitä heitä vain vielä jo nyt sitten ennen jälkeen kanssa ilman "
    "mukaan välillä koska vaikka kuitenkin kaikki kaikkien missä mistä mihin hyvin enemmän voi voivat pitää itse "
    "toinen muut eivät en et emme",
    "fr": "le la les un une des du de au aux et ou où mais donc or ni car que qui quoi dont dans en sur sous par pour avec "
    "sans vers chez entre depuis pendant avant après contre est sont était étaient être été sera serait suis es "
    "sommes êtes ai as avons avez ont avait avaient avoir eu fait font peut peuvent doit ce cet cette ces ceci cela "
    "ça je tu il elle on nous vous ils elles me te se moi toi lui leur leurs mon ma mes ton ta tes son sa ses notre "
    "nos votre vos ne pas plus moins très aussi bien même si comme quand comment tout toute tous toutes autre autres "
    "chaque quel quelle quels quelles encore déjà ainsi alors puis peu qu jusqu lorsque parce afin selon ici là "
    "aucun aucune",
    "ga": "an na agus ar is go le sin seo bhí atá sé sí siad mé tú muid sibh i sa do de ag as ó faoi chun gan mar ach nó "
    "ní níl nach raibh bhfuil bheith ina aon gach féin ann aige aici acu agam agat againn leis léi leo uile eile "
    "idir roimh tar éis nuair má dá cad cé conas cá bhfuair bíonn beidh",
    "he": "של את על לא זה זו זאת הוא היא הם הן אני אתה אנחנו אתם עם או אם כי גם אבל רק כל היה היתה הייתה היו יש אין מה מי "
    "איך איפה מתי למה אל אשר בין אחרי לפני עד כבר עוד מאוד יותר אותו אותה אותם שלו שלה שלהם שלי שלך שלנו לו לה להם "
    "לי לך לנו בו בה בהם ממנו כך כן כמו אחד אחת אלה אלו לאחר כאשר",
    "hi": "के का की है में से और को पर यह वह ये वे इस उस इन उन एक हैं था थी थे हो होता होती होते हुआ हुई हुए ने कि जो तो "
    "भी ही नहीं न या लेकिन अगर जब तक साथ लिए कर करने करना करता करते करती किया किए गया गई गए जा रहा रही रहे अपने अपना "
    "अपनी कुछ कोई सब सभी बहुत बाद पहले क्या क्यों कैसे कहाँ कौन मैं तुम आप हम मेरा मेरे उसके उसका उसकी इसके इसका "
    "इसकी उनके उनका उनकी इसे उसे उन्हें इन्हें द्वारा तथा एवं बीच दिया जाता जाती जाते सकता सकते सकती",
    "hu": "az egy és hogy nem is ez meg van volt de csak el már ha még mint vagy sem minden ami aki amely amelyek amit "
    "akit ezt azt ezek azok ennek annak ebben abban én te ő mi ti ők engem téged őt minket neki nekem nekik voltak "
    "lesz lenne lehet kell után előtt között alatt felett mellett nélkül szerint miatt így úgy itt ott most majd "
    "nagyon több pedig hanem mert amikor ahol hogyan miért ki be fel le össze ezért volna való",
    "hy": "եւ և է են էր էին մի որ ոչ նա այն այս այդ ես դու մենք դուք նրանք իր իրեն նրա մեր ձեր իմ քո ու կամ բայց եթե երբ "
    "որտեղ ինչ ով ինչպես համար հետ մեջ վրա մոտ տակ առանց մասին ըստ պետք կարող եմ եք ենք լինել եղել նաև միայն արդեն "
    "դեռ շատ ավելի բոլոր ամեն այստեղ այնտեղ պես միջև",
    "id": "yang dan di ke dari untuk dengan pada adalah ini itu tidak akan telah sudah oleh dalam atau juga karena bisa "
    "dapat ada saya kamu anda dia ia mereka kami kita nya sebagai bahwa seperti lebih sangat hanya masih belum jika "
    "kalau ketika saat setelah sebelum antara tanpa hingga sampai para serta tetapi tapi namun maka lagi pun bagi "
    "tentang atas bawah sebuah seorang banyak semua setiap beberapa lain apa siapa mengapa bagaimana mana harus "
    "ingin menjadi merupakan tersebut",
    "it": "il lo la gli le un uno una di del dello della dei degli delle al allo alla ai agli alle dal dalla dai dalle nel "
    "nello nella nei nelle sul sulla sui sulle in con su per tra fra da che chi cui non più ma anche se come quando "
    "dove perché quindi però oppure è sono era erano essere stato stata stati state sia ha hanno ho abbiamo avere "
    "aveva avevano può possono deve questo questa questi queste quello quella quelli quelle io tu lui lei noi voi "
    "loro mi ti si ci vi ne suo sua suoi sue mio mia tuo nostro nostra molto molti poco tutto tutta tutti tutte "
    "altro altri altre ogni ancora già così solo dopo prima senza fino contro verso mentre",
    "ja": "こと もの ため よう ところ から まで より など だけ しか ほど くらい です ます した して する され れる られ "
    "いる ある なる ない また かし そし それ これ その この あの どの ここ そこ ので のに でも には とは では へは "
    "ても れば たり なが がら でき きる まし ませ せん であ てい いま いて れて った って とし いう うに という おり "
    "なり なっ てき もあ にお おい おけ ける につ つい によ りま",
    "ko": "있다 있는 하는 하고 했다 한다 하여 하지 에서 으로 에게 까지 부터 이다 이며 그리 리고 그러 러나 지만 또는 또한 "
    "이런 그런 저런 것이 것은 것을 이것 그것 저것 우리 그는 그녀 나는 너는 수있 습니 니다 합니 입니 있습 었다 였다 "
    "되어 되는 된다 대한 대해 위해 때문 문에 통해 따라 같은 같이 모든 매우 더욱 다른 어떤 경우 하면 에는 에도 으며 "
    "면서",
    "lt": "ir yra kad su į iš ne tai bet ar kaip jo jos jie aš tu mes jūs jis ji buvo būti bus nuo iki po prie per apie "
    "dėl be tik jau dar taip pat kuris kuri kurie kurios kurių šis ši šie šios tas ta tie tos šio tų jų savo mano "
    "tavo mūsų jūsų kai kur kas ką kodėl nes jei arba nei visi visos viską labai daugiau prieš tarp gali turi buvę "
    "esant",
    "ne": "र को मा छ छन् हो यो त्यो पनि लागि गर्न गर्ने गरेको गरेका भएको भएका भने हुन हुने थियो थिए ले लाई बाट सँग तर वा "
    "कि जो के कुनै सबै धेरै अनि उनी उनको उहाँ हामी म तिमी तपाईं यस त्यस यी ती आफ्नो अब अझै एक नै न गर्छ गर्छन् भन्ने "
    "पछि अघि बीच",
    "nl": "de het een en van in is dat op te zijn met voor niet aan er om ook als dan maar bij uit door over naar tot "
    "onder tussen tegen zonder sinds tijdens na wordt worden werd werden geworden heeft hebben had hadden heb ben "
    "bent was waren geweest kan kunnen kon moet moeten moest zal zullen zou zouden wil willen mag ik je jij u hij "
    "zij ze we wij jullie hem haar hun hen mij me ons onze mijn jouw die deze dit wie wat waar wanneer waarom hoe "
    "welke of want omdat terwijl hoewel dus nog al wel geen meer veel zeer alleen hier daar nu toen zo zelf andere "
    "ander alle alles iets niets elke elk",
    "no": "og er det at den de en et ei til på som med for av ikke har var han hun jeg du vi dere dem meg deg seg oss men "
    "om så fra ved eller etter over under skal kan vil ville kunne skulle ble blir bli blitt være vært hadde når "
    "hvor hva hvem hvis også bare nå her denne dette disse sin sitt sine deres hans hennes min mitt din veldig mange "
    "mye annen andre alle noe noen ut opp ned inn mellom uten mot fordi mens begge selv samme slik",
    "pl": "się nie na to że jest do jak ale za od po przez przy dla ze czy tak już tylko był była było byli być będzie są "
    "jego jej ich który która które którzy których którym tym ten ta te tego tej tych oraz lub albo ani gdy kiedy "
    "gdzie co kto ja ty on ona my wy oni one mnie mi ciebie go mu ją im nas nam was wam sobie siebie swoje swój może "
    "można bardzo więcej jeszcze także również między pod nad bez przed podczas ponieważ więc jeśli aby żeby "
    "wszystko wszystkie każdy inne innych tam tu tutaj ma mają",
    "pt": "o os as um uma uns umas de do da dos das no na nos nas ao aos em com por para pelo pela pelos pelas que como "
    "mais mas não é são ser foi foram era eram há está estão estava sido tem têm tinha ter pode podem este esta "
    "estes estas isto esse essa esses essas isso aquele aquela eu tu ele ela nós vós eles elas você vocês me te se "
    "lhe lhes seu sua seus suas meu minha teu nosso nossa quando onde quem qual muito muitos também já sobre entre "
    "sem até desde durante contra segundo porque todo toda todos todas outro outra outros outras cada nem embora "
    "enquanto ainda assim tão pouco depois antes só apenas",
    "ro": "și în de la cu pe nu este sunt că un o al ale ai din pentru care mai dar sau ce se să fi fost era erau are au "
    "am avea a el ea ei ele eu tu noi voi lui îi îl le mă te ne vă acest această acești aceste acel acea acei acele "
    "asta astea fără până prin după între sub peste când unde cum cine foarte doar numai tot toate toți fiecare alt "
    "altă alți alte dacă deși deci încă deja iar nici decât cel cea cei cele unui unei unor lor său sa poate trebuie",
    "ru": "и в во не что он на я с со как а то все она так его но да ты к у же вы за бы по только её ее мне было вот от "
    "меня ещё еще нет о из ему теперь когда даже ну ли если уже или ни быть был него до вас опять уж вам ведь там "
    "потом себя ничего ей может они тут где есть надо ней для мы тебя их чем была сам чтоб без будто чего раз тоже "
    "себе под будет тогда кто этот того потому этого какой совсем ним здесь этом один почти мой тем чтобы нее сейчас "
    "были куда зачем всех никогда можно при об другой хоть после над больше тот через эти нас про всего них какая "
    "много разве эту моя свою этой перед иногда чуть том нельзя такой им более всегда конечно всю между это который "
    "которая которое которые которых также является",
    "sr": "је и да у се на за не су са од као али што који која које или ће то из по до ово овај ова ови тај та ти он она "
    "они ја ми ви га му им их нас вас био била било били бити није нису када где како шта ко због после пре између "
    "без под над само још већ врло више све сви свака може треба такође je da se na za ne su sa od kao ali što koji "
    "koja koje ili će iz ovo ovaj bio bila bilo biti nije nisu kada gde kako šta zbog posle pre između samo još već "
    "više",
    "sv": "och är att det den de en ett till på som med för av inte har var han hon jag du vi ni dem mig dig sig oss men "
    "om så från vid eller efter över under ska skall kan vill ville kunde skulle blev blir bli blivit vara varit "
    "hade när där hur vad vem vilken också bara nu här denna detta dessa sin sitt sina deras hans hennes min mitt "
    "din mycket många annan andra alla något några ut upp ner in mellan utan mot eftersom medan båda själv samma "
    "sådan sedan än",
    "ta": "ஒரு என்று மற்றும் இந்த இது என்ற கொண்டு என்பது பல ஆகும் அல்லது அவர் நான் உள்ள அந்த இவர் என முதல் என்ன இருந்து "
    "சில என் போன்ற வேண்டும் வந்து இதன் அது அவன் தான் பலரும் என்னும் மேலும் பின்னர் கொண்ட இருக்கும் தனது உள்ளது போது "
    "என்றும் அதன் தன் பிறகு அவர்கள் வரை அவள் நீ ஆகிய இருந்தது உள்ளன வந்த இருந்த மிகவும் இங்கு மீது",
    "th": "ที่ และ เป็น ใน ของ การ มี ได้ ไม่ ให้ ว่า จะ กับ นี้ นั้น ก็ แต่ หรือ จาก โดย ไป มา อยู่ แล้ว ความ ด้วย คือ ซึ่ง ถ้า เมื่อ",
    "tr": "ve bir bu da de için ile çok daha gibi olarak olan ne kadar ama o şu ki mi mı mu mü değil var yok en her ben "
    "sen biz siz onlar onu ona onun benim senin bizim bana sana bize size beni seni kendi kendisi bütün tüm bazı hiç "
    "hem veya ya ise sonra önce göre üzere arasında içinde üzerinde altında ancak fakat çünkü eğer nasıl neden "
    "nerede zaman kim hangi şey diye bile sadece yalnızca artık henüz şimdi oldu olduğu olur olup oldukça ediyor "
    "etti eder edilen tarafından diğer başka",
    "uk": "і в у не що на з із та як це до за від по про але або він вона воно вони ми ви я ти його її їх йому їй їм нас "
    "вас мене тебе був була було були бути є має мають для при під над без через після перед між також вже ще тільки "
    "лише дуже більше коли де хто який яка яке які яких цей ця ці того цього цьому тому щоб якщо бо чи ні так там "
    "тут свої своїх своє може можна треба всі все всіх кожен інші",
    "vi": "và của là có trong được cho với các những một này đó không người từ đã đang sẽ vào ra như khi thì mà để nhưng "
    "hoặc hay nếu vì bởi tại trên dưới giữa sau trước rất cũng chỉ còn lại nhiều ít mọi mỗi nào gì ai đâu sao tôi "
    "bạn anh chị ông bà chúng họ nó ta về theo đến bị do",
    "yi": "און איז די דער דאס דעם אין פון צו מיט אויף נישט ניט האט האבן זיי ער זי מיר איר איך דו עס אבער אדער אז ווען וואס "
    "ווער ווי ווו פאר נאך ביי אן אויך נאר שוין זיין געווען ווערט וועט קען זאל אלע יעדער זיך אונדז אים זייער",
    "zh": "我们 你们 他们 她们 它们 这个 那个 这些 那些 这样 那样 这里 那里 一个 一些 一种 什么 怎么 为什 因为 所以 如果 "
    "但是 而且 或者 以及 并且 虽然 然而 因此 于是 可以 可能 能够 应该 已经 还是 还有 没有 不是 就是 都是 也是 这是 "
    "那是 是的 是在 是一 了一 的一 的人 我的 你的 他的 她的 自己 对于 关于 通过 进行 由于 其中 其他 之后 之前 之间 "
    "时候 非常 我們 你們 他們 這個 那個 這些 這樣 這裡 那裡 一個 什麼 因為 雖然 應該 已經 還是 還有 沒有 這是 對於 "
    "關於 通過 進行 由於 時候",
}
