"use strict";
(() => {
  const data = JSON.parse(document.getElementById("battle").textContent);
  const find = (id) => document.getElementById(id);
  const SVG = "http://www.w3.org/2000/svg";
  const SECONDS = 0.9;

  function make(tag, name, text) {
    const element = document.createElement(tag);
    if (name) element.className = name;
    if (text !== undefined) element.textContent = text;
    return element;
  }

  function draw(tag, attributes, text) {
    const element = document.createElementNS(SVG, tag);
    for (const key in attributes) element.setAttribute(key, attributes[key]);
    if (text !== undefined) element.textContent = text;
    return element;
  }

  const xy = ([q, r]) => [data.size * Math.sqrt(3) * (q + r / 2), data.size * 1.5 * r];
  const look = (side) => (data.sides[side].mark ? "b" : "a");

  // The battle at every step

  const scenes = [data.start];
  for (const step of data.steps) {
    const before = scenes[scenes.length - 1];
    const jugs = before.jugs.slice();
    for (const slot in step.jugs) jugs[slot] = { ...jugs[slot], ...step.jugs[slot] };
    const ball = step.ball === undefined ? before.ball : step.ball;
    scenes.push({ jugs, walls: step.walls || before.walls, wrecks: step.wrecks || before.wrecks, ball, score: step.score || before.score });
  }
  const last = data.steps.length;
  const turnOf = (at) => (at ? data.steps[at - 1].turn : 0);
  const lineOf = (at) => (at ? data.steps[at - 1].line : data.opening - 1);
  const turns = [0];
  const reached = data.lines.map(() => last);
  for (let at = 1; at <= last; at += 1) {
    reached[lineOf(at)] = at;
    if (turnOf(at) !== turnOf(at - 1)) turns.push(at);
  }
  const opens = [0];
  data.lines.forEach((line, i) => { if (i && line[1] === "turn") opens.push(i); });
  for (let i = 0; i < data.opening; i += 1) reached[i] = 0;

  let now = 0;
  let timer = 0;
  let whole = false;

  // What is made once

  const angles = data.start.jugs.map((jug) => 60 * jug.facing);
  const tokens = data.jugs.map((jug, slot) => {
    const group = draw("g", {});
    const turning = draw("g", { class: "turning" });
    turning.append(draw("path", { class: "arrow", d: data.jug, transform: `scale(${data.size * 0.95})`, "vector-effect": "non-scaling-stroke" }));
    const title = draw("title", {});
    group.append(title, draw("circle", { class: "ground", r: data.size * 0.8 }), turning);
    find("jugs").append(group);
    const label = draw("g", {});
    label.append(draw("text", { y: -data.size * 0.85 }, jug.code));
    find("labels").append(label);
    return { group, turning, label, title, slot };
  });

  const records = data.jugs.map((jug) => {
    const card = make("article");
    const heading = make("h3");
    const fate = make("span", "fate");
    heading.append(make("span", "code", jug.code));
    if (jug.bare) heading.append(make("span", "", jug.bare));
    if (jug.design) heading.append(make("small", "", jug.design));
    heading.append(make("small", "", `size ${jug.size}`), fate);
    const bar = make("div", "bar");
    bar.setAttribute("aria-hidden", "true");
    const fill = make("span");
    bar.append(fill);
    const figures = make("dl", "figures");
    const values = ["hits", "velocity", "facing", "hex"].map((name) => {
      const pair = make("div");
      const value = make("dd");
      pair.append(make("dt", "", `${name} `), value);
      figures.append(pair);
      return value;
    });
    const notes = make("ul", "notes");
    const pieces = make("ul", "pieces");
    const shown = jug.pieces.map(() => {
      const item = make("li");
      pieces.append(item);
      return item;
    });
    card.append(heading, bar, figures, notes, pieces);
    find("records").append(card);
    return { card, fate, fill, values, notes, shown };
  });

  // What changes from step to step

  function showJugs(scene, acting) {
    scene.jugs.forEach((jug, slot) => {
      const { group, turning, label, title } = tokens[slot];
      const [x, y] = xy([jug.q, jug.r]);
      const shift = (((60 * jug.facing - angles[slot]) % 360) + 540) % 360 - 180;
      angles[slot] += shift;
      group.setAttribute("class", `jug ${look(jug.side)}${acting.has(slot) ? " acting" : ""}`);
      label.setAttribute("class", `label ${look(jug.side)}`);
      for (const part of [group, label]) {
        part.style.transform = `translate(${x}px, ${y}px)`;
        part.style.display = jug.fate && jug.fate !== "captured" ? "none" : "";
      }
      turning.style.transform = `rotate(${angles[slot]}deg)`;
      title.textContent = `${data.jugs[slot].name}, ${Math.max(0, jug.hits)} of ${data.jugs[slot].hits} hits, velocity ${jug.velocity}`;
    });
  }

  function showRecords(scene, acting) {
    scene.jugs.forEach((jug, slot) => {
      const { card, fate, fill, values, notes, shown } = records[slot];
      const full = data.jugs[slot].hits;
      card.className = `record ${look(jug.side)}${jug.fate ? " out" : ""}${acting.has(slot) ? " acting" : ""}`;
      fate.textContent = jug.fate;
      fill.style.width = `${Math.max(0, Math.min(100, (100 * jug.hits) / full))}%`;
      values[0].textContent = `${Math.max(0, jug.hits)} of ${full}`;
      values[1].textContent = jug.velocity;
      values[2].textContent = data.compass[jug.facing];
      values[3].textContent = `[${jug.q}, ${jug.r}]`;
      notes.replaceChildren(...jug.notes.map((text) => make("li", "", text)));
      shown.forEach((item, group) => {
        const [title, pieces] = data.jugs[slot].pieces[group];
        const lost = pieces.filter((piece) => jug.lost.includes(piece)).length;
        item.classList.toggle("lost", lost === pieces.length);
        item.textContent = pieces.length > 1 ? `${title} x${pieces.length}` : title;
        if (lost && lost < pieces.length) item.textContent += `, ${lost} lost`;
        if (lost === pieces.length) item.append(make("span", "unseen", " (lost)"));
      });
    });
  }

  // A step in which jugs or the ball are put elsewhere is no way: trails begin anew after it.
  const jumps = (at) => at > 0 && data.steps[at - 1].jump === 1;

  function showTrails() {
    let from = now;
    while (from > 0 && turnOf(from - 1) === turnOf(now) && !jumps(from)) from -= 1;
    if (jumps(from)) from += 1;
    const trails = scenes[now].jugs.map((jug, slot) => {
      const places = [];
      for (let at = Math.max(0, from - 1); at <= now; at += 1) {
        const { q, r } = scenes[at].jugs[slot];
        const before = places[places.length - 1];
        if (!before || before[0] !== q || before[1] !== r) places.push([q, r]);
      }
      const points = places.map((place) => xy(place).join(",")).join(" ");
      return places.length > 1 ? draw("polyline", { class: `trail ${look(jug.side)}`, points }) : null;
    });
    find("trails").replaceChildren(...trails.filter(Boolean), ...ballTrail(from));
  }

  function ballTrail(from) {
    const { ball } = scenes[now];
    const drawn = [];
    const places = [];
    for (let at = Math.max(0, from - 1); at <= now; at += 1) if (scenes[at].ball) places.push(scenes[at].ball);
    if (places.length > 1) drawn.push(draw("polyline", { class: "trail ball", points: places.map((place) => xy(place).join(",")).join(" ") }));
    if (ball) {
      const [cx, cy] = xy(ball);
      const circle = draw("circle", { class: "ball", cx, cy, r: data.size * 0.6 });
      circle.append(draw("title", {}, `ball at [${ball}]`));
      drawn.push(circle);
    }
    return drawn;
  }

  function star(x, y, size) {
    const points = [];
    for (let k = 0; k < 16; k += 1) {
      const radius = size * (k % 2 ? 0.45 : 1);
      points.push(`${x + radius * Math.cos((Math.PI * k) / 8)},${y + radius * Math.sin((Math.PI * k) / 8)}`);
    }
    return draw("polygon", { class: "star", points: points.join(" ") });
  }

  function showMarks() {
    const drawn = [];
    const mark = now && data.steps[now - 1].mark;
    if (mark && mark.kind === "goal") {
      const [cx, cy] = xy(mark.to);
      drawn.push(draw("circle", { class: "ball", cx, cy, r: data.size * 0.6 }));
      for (const r of [1.1, 1.5]) drawn.push(draw("circle", { class: `scored ${look(mark.side)}`, cx, cy, r: data.size * r }));
    } else if (mark) {
      const [x1, y1] = xy(mark.from);
      const [x2, y2] = xy(mark.to);
      if (mark.kind === "ram") drawn.push(star((x1 + x2) / 2, (y1 + y2) / 2, data.size * 0.6));
      if (mark.kind === "fire") drawn.push(draw("circle", { class: "flame", cx: x2, cy: y2, r: data.size * 0.9 }));
      if (mark.kind === "shot") {
        const side = look(mark.side);
        drawn.push(draw("line", { class: `shot ${side}${mark.hit ? "" : " missed"}`, x1, y1, x2, y2 }));
        if (mark.hit) drawn.push(draw("circle", { class: `tip ${side}`, cx: x2, cy: y2, r: data.size * 0.25 }));
      }
    }
    find("marks").replaceChildren(...drawn);
  }

  function showGround(scene) {
    scene.walls.forEach((hits, wall) => {
      const hex = document.querySelector(`[data-wall="${wall}"]`);
      hex.classList.toggle("down", hits !== null && hits <= 0);
      if (hits !== null) hex.querySelector("title").textContent = hits > 0 ? `stone wall, ${hits} hits` : "rubble of a wall";
    });
    const reach = data.size * 0.5;
    find("wrecks").replaceChildren(...scene.wrecks.map(([slot, q, r]) => {
      const [x, y] = xy([q, r]);
      const wreck = draw("g", { class: "wreck", transform: `translate(${x},${y})` });
      wreck.append(
        draw("title", {}, `wreck of ${data.jugs[slot].name}`),
        draw("path", { d: `M${-reach} ${-reach}L${reach} ${reach}M${-reach} ${reach}L${reach} ${-reach}` }),
        draw("text", { y: -data.size * 0.75 }, data.jugs[slot].code),
      );
      return wreck;
    }));
  }

  function showLines() {
    const line = lineOf(now);
    const opening = Math.max(...opens.filter((i) => i <= line));
    const end = opens.find((i) => i > opening) || data.lines.length;
    const items = [];
    for (let i = opening; i < end; i += 1) {
      const [text, kind, ids] = data.lines[i];
      const item = make("li", `${i === line ? "now " : i > line ? "later " : ""}${kind}`);
      const button = make("button", "", text);
      button.type = "button";
      if (i === line) button.setAttribute("aria-current", "step");
      if (ids.length) button.append(make("span", "ids", ids.join(", ")));
      button.addEventListener("click", () => go(reached[i]));
      item.append(button);
      items.push(item);
    }
    const focused = find("lines").contains(document.activeElement);
    find("lines").replaceChildren(...items);
    if (focused) find("lines").querySelector(".now button").focus({ preventScroll: true });
    find("log-title").textContent = turnOf(now) ? `Turn ${turnOf(now)}, line by line` : "Set-up, line by line";
    return data.lines[line] ? data.lines[line][0] : "";
  }

  function show() {
    const focused = document.activeElement;
    const scene = scenes[now];
    const changed = now ? data.steps[now - 1].jugs : {};
    const acting = new Set(Object.keys(changed).map(Number));
    showJugs(scene, acting);
    showRecords(scene, acting);
    showTrails();
    showMarks();
    showGround(scene);
    const text = showLines();
    find("caption").textContent = now ? text : data.lines[0][0];
    const place = `${turnOf(now) ? `Turn ${turnOf(now)} of ${turnOf(last)}` : "Set-up"}, step ${now} of ${last}`;
    find("where").textContent = place;
    if (scene.score) find("score").textContent = scoreOf(scene);
    find("slider").value = now;
    find("slider").setAttribute("aria-valuetext", place);
    for (const id of ["first", "turn-back", "back"]) find(id).disabled = now === 0;
    for (const id of ["on", "turn-on", "last"]) find(id).disabled = now === last;
    for (const kind of kinds) find(`next-${kind}`).disabled = next(kind) < 0;
    if (focused && focused.disabled) find("play").focus({ preventScroll: true });
  }

  function scoreOf(scene) {
    const [a, b] = data.sides[0].mark ? [1, 0] : [0, 1];
    return `${data.sides[a].name} ${scene.score[a]} : ${scene.score[b]} ${data.sides[b].name}`;
  }

  // Going from step to step

  const kinds = data.start.score ? ["touch", "goal"] : [];

  function next(kind) {
    for (let at = now; at < last; at += 1) if (data.steps[at][kind]) return at + 1;
    return -1;
  }

  function go(at) {
    now = Math.max(0, Math.min(last, at));
    if (now === last) pause();
    show();
    try {
      history.replaceState(null, "", `#${now}`);
    } catch {
      // a page that is embedded may not name its step
    }
  }

  function pause() {
    clearInterval(timer);
    timer = 0;
    document.body.classList.remove("playing");
    find("caption").setAttribute("aria-live", "polite");
    find("play").setAttribute("aria-label", "Play");
  }

  function play() {
    if (timer) return pause();
    if (now === last) go(0);
    timer = setInterval(() => go(now + 1), 1000 * SECONDS);
    document.body.classList.add("playing");
    find("caption").setAttribute("aria-live", "off");
    find("play").setAttribute("aria-label", "Pause");
    return go(now + 1);
  }

  const turnBack = () => go(Math.max(0, ...turns.filter((at) => at < now)));
  const turnOn = () => go(turns.find((at) => at > now) || last);
  const moves = {
    ArrowLeft: () => go(now - 1),
    ArrowRight: () => go(now + 1),
    ArrowUp: turnBack,
    ArrowDown: turnOn,
    Home: () => go(0),
    End: () => go(last),
    " ": play,
  };
  for (const kind of kinds) {
    const jump = () => go(next(kind) < 0 ? now : next(kind));
    moves[kind[0]] = jump;
    find(`next-${kind}`).addEventListener("click", () => {
      pause();
      jump();
    });
  }
  const buttons = { first: "Home", "turn-back": "ArrowUp", back: "ArrowLeft", play: " ", on: "ArrowRight", "turn-on": "ArrowDown", last: "End" };
  for (const id in buttons) {
    find(id).addEventListener("click", () => {
      if (id !== "play") pause();
      moves[buttons[id]]();
    });
  }
  document.addEventListener("keydown", (event) => {
    const move = moves[event.key];
    const own = event.target.closest?.("button, summary, input");
    const taken = own && (event.key === " " || own.id === "slider");
    if (!move || taken || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    if (event.key !== " ") pause();
    move();
  });
  find("slider").max = last;
  find("slider").addEventListener("input", (event) => {
    pause();
    go(Number(event.target.value));
  });

  // How much of the map is seen

  function frame() {
    const [left, top, width, height] = data.views[whole ? 0 : 1];
    const map = find("map");
    map.setAttribute("viewBox", `${left} ${top} ${width} ${height}`);
    const scale = Math.min((map.clientWidth || width) / width, (map.clientHeight || height) / height);
    map.style.setProperty("--label", `${Math.max(8, (data.jugs.length > 4 ? 8.5 : 11) / scale)}px`);
  }

  find("view").addEventListener("click", () => {
    whole = !whole;
    find("view").setAttribute("aria-pressed", String(whole));
    frame();
  });
  find("stage").hidden = false;
  window.addEventListener("resize", frame);
  window.addEventListener("hashchange", () => go(Number(location.hash.slice(1)) || 0));
  go(Number(location.hash.slice(1)) || 0);
  frame();
})();
