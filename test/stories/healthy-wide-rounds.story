# Eight parallel searches find nothing. That counts as one failed round, not eight, and two such rounds count as two.

graph:
  nodes:
    act: { use: ./work.ts#act, on: { done: end } }
    end: { final: success }

start
call read {"path":"index.html"} !! ENOENT: no such file index.html &; call read {"path":"public/index.html"} !! ENOENT: no such file public/index.html &; call read {"path":"src/index.html"} !! ENOENT: no such file src/index.html &; call read {"path":"app/main.tsx"} !! ENOENT: no such file app/main.tsx &; call read {"path":"templates/home.erb"} !! ENOENT: no such file templates/home.erb &; call read {"path":"views/start.pug"} !! ENOENT: no such file views/start.pug &; call read {"path":"pages/home.vue"} !! ENOENT: no such file pages/home.vue &; call read {"path":"site/landing.md"} !! ENOENT: no such file site/landing.md
call read {"path":"setup.cfg"} !! ENOENT: no such file setup.cfg &; call read {"path":"pyproject.toml"} !! ENOENT: no such file pyproject.toml &; call read {"path":"poetry.lock"} !! ENOENT: no such file poetry.lock &; call read {"path":"requirements.txt"} !! ENOENT: no such file requirements.txt &; call read {"path":"environment.yml"} !! ENOENT: no such file environment.yml &; call read {"path":"Pipfile"} !! ENOENT: no such file Pipfile &; call read {"path":"tox.ini"} !! ENOENT: no such file tox.ini &; call read {"path":"noxfile.py"} !! ENOENT: no such file noxfile.py
----
3   failed   ENOENT: no such file index.html [persistent, request, by says-persistent]
5   failed   ENOENT: no such file public/index.html [persistent, request, by says-persistent]
7   failed   ENOENT: no such file src/index.html [persistent, request, by says-persistent]
9   failed   ENOENT: no such file app/main.tsx [persistent, request, by says-persistent]
11  failed   ENOENT: no such file templates/home.erb [persistent, request, by says-persistent]
13  failed   ENOENT: no such file views/start.pug [persistent, request, by says-persistent]
15  failed   ENOENT: no such file pages/home.vue [persistent, request, by says-persistent]
17  failed   ENOENT: no such file site/landing.md [persistent, request, by says-persistent]
19  failed   ENOENT: no such file setup.cfg [persistent, request, by says-persistent]
21  failed   ENOENT: no such file pyproject.toml [persistent, request, by says-persistent]
23  failed   ENOENT: no such file poetry.lock [persistent, request, by says-persistent]
25  failed   ENOENT: no such file requirements.txt [persistent, request, by says-persistent]
27  failed   ENOENT: no such file environment.yml [persistent, request, by says-persistent]
29  failed   ENOENT: no such file Pipfile [persistent, request, by says-persistent]
31  failed   ENOENT: no such file tox.ini [persistent, request, by says-persistent]
33  failed   ENOENT: no such file noxfile.py [persistent, request, by says-persistent]
in       act
pending  act#1
spent    1 steps, 16 toolCalls
