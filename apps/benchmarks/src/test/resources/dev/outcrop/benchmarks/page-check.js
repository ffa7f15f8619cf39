// Returns what is wrong with the page as it is shown, in words.
(() => {
    const wrong = [];
    const root = document.documentElement;
    // On a telephone, the inner width of the window grows with the page.
    const width = root.clientWidth;
    const isPrinted = matchMedia('print').matches;
    const name = element => element.textContent.trim().slice(0, 40);

    // --- Nothing is wider than the window; only tables scroll, each by itself ---

    if (root.scrollWidth > width) {
        wrong.push(`the page is ${root.scrollWidth} px wide in ${width} px`);
    }
    for (const element of document.body.querySelectorAll('*')) {
        const right = element.getBoundingClientRect().right;
        if (right > width + 1 && !element.closest('.table') && !element.closest('defs')) {
            wrong.push(`${element.tagName} ends at ${Math.round(right)} px: ${name(element)}`);
        }
    }
    if (isPrinted) {
        for (const table of document.querySelectorAll('table')) {
            const right = table.getBoundingClientRect().right;
            if (right > width + 1) {
                wrong.push(`on paper a table ends at ${Math.round(right)} px: ${name(table)}`);
            }
        }
    }

    // --- All sections are there, and links lead to them ---

    const ids = ['means', 'losses', ...Array.from({length: 14}, (_, i) => `s${i + 1}`)];
    for (const id of ids) {
        const section = document.getElementById(id);
        if (!section || section.getBoundingClientRect().height < 40 || !section.querySelector('h2')) {
            wrong.push(`section ${id} is missing or empty`);
        }
    }
    for (const link of document.querySelectorAll('a')) {
        if (!document.querySelector(link.getAttribute('href'))) {
            wrong.push(`a link leads nowhere: ${link.getAttribute('href')}`);
        }
    }
    for (const details of document.querySelectorAll('details')) {
        const isShown = details.querySelector('table').checkVisibility({contentVisibilityAuto: true});
        if (isShown !== (details.open || isPrinted)) {
            wrong.push(`a table is ${isShown ? 'shown' : 'hidden'}: ${name(details)}`);
        }
    }

    // --- Texts of plots: within the plot, legible, and none over another ---

    for (const plot of document.querySelectorAll('svg.plot')) {
        const box = plot.getBoundingClientRect();
        const texts = [...plot.querySelectorAll('text')].map(text => [text, text.getBoundingClientRect()]);
        for (const [text, place] of texts) {
            if (place.left < box.left - 1 || place.right > box.right + 1 || place.bottom > box.bottom + 1) {
                wrong.push(`${plot.ariaLabel}: a text is cut off: ${name(text)}`);
            }
            if (place.height < 9) {
                wrong.push(`${plot.ariaLabel}: a text is ${place.height} px high: ${name(text)}`);
            }
        }
        for (let i = 0; i < texts.length; i++) {
            for (let j = 0; j < i; j++) {
                const [a, one] = texts[i];
                const [b, other] = texts[j];
                const across = Math.min(one.right, other.right) - Math.max(one.left, other.left);
                const down = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
                if (across > 1 && down > 3) {
                    wrong.push(`${plot.ariaLabel}: '${name(a)}' is over '${name(b)}'`);
                }
            }
        }
        // Sides differ without colour, too: by pattern, or by the form of their markers.
        const patterns = new Map();
        for (const bar of plot.querySelectorAll('rect.bar')) {
            const side = bar.classList[1];
            patterns.set(bar.getAttribute('fill'), (patterns.get(bar.getAttribute('fill')) ?? new Set()).add(side));
        }
        for (const [pattern, sides] of patterns) {
            if (sides.size > 1) {
                wrong.push(`${plot.ariaLabel}: ${[...sides]} look the same in ${pattern}`);
            }
        }
    }

    // --- Contrast, as the Web Content Accessibility Guidelines measure it ---

    const canvas = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
    const luminance = colour => {
        canvas.fillStyle = colour;
        canvas.fillRect(0, 0, 1, 1);
        const linear = [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3).map(value => value / 255)
            .map(value => value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
    };
    const ground = getComputedStyle(document.body).backgroundColor;
    const contrast = colour => {
        const [dark, light] = [luminance(colour), luminance(ground)].sort((a, b) => a - b);
        return (light + 0.05) / (dark + 0.05);
    };
    const require = (what, colour, least) => {
        if (!(contrast(colour) >= least)) {
            wrong.push(`${what}: the contrast of ${colour} on ${ground} is ${contrast(colour).toFixed(1)}, not ${least}`);
        }
    };
    for (const text of ['p', 'dt', 'dd', 'h2', 'a', 'th', 'td', 'summary']) {
        const element = document.querySelector(text);
        if (element) {
            require(text, getComputedStyle(element).color, 4.5);
        }
    }
    for (const text of document.querySelectorAll('.plot text:first-of-type')) {
        require('text of a plot', getComputedStyle(text).fill, 4.5);
    }
    for (const side of document.querySelectorAll('pattern')) {
        require(side.id, getComputedStyle(side).getPropertyValue('--side'), 3);
    }
    return [...new Set(wrong)];
})()
